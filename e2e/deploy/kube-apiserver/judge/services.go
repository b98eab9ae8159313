package main

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/apis/core"
)

// allocate gives a Service the address and ports that its storage allocates, before it is validated: normalizeClusterIPs and
// patchAllocatedValues of pkg/registry/core/service/storage, which are not exported.
func allocate(object, stored runtime.Object) {
	service, isService := object.(*core.Service)
	if !isService {
		return
	}
	old := core.ServiceSpec{}
	if before, isKnown := stored.(*core.Service); isKnown {
		old = before.Spec
	}
	spec := &service.Spec
	if spec.Type == core.ServiceTypeExternalName {
		if spec.ClusterIP == "" || spec.ClusterIP == old.ClusterIP {
			spec.ClusterIP, spec.ClusterIPs = "", nil
		}
		return
	}
	if spec.ClusterIP == "" {
		spec.ClusterIP = old.ClusterIP
	}
	if spec.ClusterIP == "" {
		spec.ClusterIP = "10.0.0.1"
	}
	if len(spec.ClusterIPs) == 0 || slices.Equal(spec.ClusterIPs, old.ClusterIPs) {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if spec.ExternalTrafficPolicy == core.ServiceExternalTrafficPolicyLocal && spec.Type == core.ServiceTypeLoadBalancer && spec.HealthCheckNodePort == 0 {
		spec.HealthCheckNodePort = 32000
	}
}
