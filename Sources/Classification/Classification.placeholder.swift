// replaced by the first file of Classification
