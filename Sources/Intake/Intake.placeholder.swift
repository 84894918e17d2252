// replaced by the first file of Intake
