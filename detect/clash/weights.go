package clash

var weights = [69]float64{}
