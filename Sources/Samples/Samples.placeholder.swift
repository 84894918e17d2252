// replaced by the first file of Samples
