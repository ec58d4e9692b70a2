# written for the tests
Creator "by hand"
graph [
  directed 0
  meta [ a [ b 1 ] ]
  node [
    id 0
    label "Köln"
    Latitude 50.0
    Longitude 8.0
    graphics [ x 1.0 y 2.0 ]
  ]
  node [
    id 1
    label "North"
    Latitude 53.5
    Longitude 10.0
    graphics [ x 1.0 y 2.0 ]
  ]
  node [
    id 2
    label "Z&#252;rich &amp; Bern"
    graphics [ x 1.0 y 2.0 ]
  ]
  node [
    id 3
    label "Alone"
    Latitude 41.0
    Longitude 2.1
    graphics [ x 1.0 y 2.0 ]
  ]
  node [
    id 4
    label "North"
    Latitude 53.6
    Longitude 10.0
    graphics [ x 1.0 y 2.0 ]
  ]
  edge [ source 0 target 1 LinkLabel "10 Gbps" ]
  edge [ source 1 target 0 LinkLabel "&lt; 2.5 Gbps" ]
  edge [ source 1 target 2 LinkSpeedRaw 155000000.0 ]
  edge [ source 0 target 2 ]
  edge [ source 2 target 2 LinkLabel "1Gbit" ]
  edge [ source 4 target 1 LinkLabel "OC-192" ]
]
