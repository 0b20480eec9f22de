module phenix-fleet/cluster/own

go 1.26
