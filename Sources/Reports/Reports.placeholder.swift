// replaced by the first file of Reports
