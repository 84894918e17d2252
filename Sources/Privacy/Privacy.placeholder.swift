// replaced by the first file of Privacy
