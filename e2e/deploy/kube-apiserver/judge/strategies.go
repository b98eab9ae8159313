package main

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"

	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

// strategies has the kinds of the table of changes.
var strategies = map[schema.GroupKind]strategy{
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:     mutatingwebhookconfiguration.Strategy,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: &validatingadmissionpolicybinding.Strategy,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}:   validatingwebhookconfiguration.Strategy,
	{Group: "apps", Kind: "DaemonSet"}:                                                daemonset.Strategy,
	{Group: "apps", Kind: "Deployment"}:                                               deployment.Strategy,
	{Group: "apps", Kind: "ReplicaSet"}:                                               replicaset.Strategy,
	{Group: "apps", Kind: "StatefulSet"}:                                              statefulset.Strategy,
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}:                           horizontalpodautoscaler.Strategy,
	{Group: "batch", Kind: "CronJob"}:                                                 cronjob.Strategy,
	{Group: "batch", Kind: "Job"}:                                                     job.Strategy,
	{Kind: "ConfigMap"}:                                                               configmap.Strategy,
	{Kind: "Namespace"}:                                                               namespace.Strategy,
	{Kind: "PersistentVolume"}:                                                        persistentvolume.Strategy,
	{Kind: "PersistentVolumeClaim"}:                                                   persistentvolumeclaim.Strategy,
	{Kind: "Pod"}:                                                                     pod.Strategy,
	{Kind: "ReplicationController"}:                                                   replicationcontroller.Strategy,
	{Kind: "ResourceQuota"}:                                                           resourcequota.Strategy,
	{Kind: "Secret"}:                                                                  secret.Strategy,
	{Kind: "Service"}:                                                                 service.Strategy,
	{Kind: "ServiceAccount"}:                                                          serviceaccount.Strategy,
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}:                                endpointslice.Strategy,
	{Group: "networking.k8s.io", Kind: "Ingress"}:                                     ingress.Strategy,
	{Group: "networking.k8s.io", Kind: "IngressClass"}:                                ingressclass.Strategy,
	{Group: "networking.k8s.io", Kind: "NetworkPolicy"}:                               networkpolicy.Strategy,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:                                      runtimeclass.Strategy,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                                    poddisruptionbudget.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:                         clusterrole.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}:                  clusterrolebinding.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:                                role.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:                         rolebinding.Strategy,
	{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"}:                         resourceclaimtemplate.NewStrategy(nil),
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:                               priorityclass.Strategy,
	{Group: "storage.k8s.io", Kind: "CSIDriver"}:                                      csidriver.Strategy,
	{Group: "storage.k8s.io", Kind: "StorageClass"}:                                   storageclass.Strategy,
	{Group: "storage.k8s.io", Kind: "VolumeAttributesClass"}:                          volumeattributesclass.Strategy,
}
