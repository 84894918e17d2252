// replaced by the first file of Pipeline
