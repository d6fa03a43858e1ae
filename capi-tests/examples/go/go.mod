module pwp-sim/example

go 1.19
