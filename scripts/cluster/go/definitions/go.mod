// Resource definitions of other projects: files of these modules, no code of them. `go mod tidy` would drop both.
module phenix-fleet/cluster/definitions

go 1.26

require (
	github.com/kedacore/keda/v2 v2.21.0
	github.com/prometheus-operator/prometheus-operator v0.92.0
	sigs.k8s.io/gateway-api v1.6.3
)
