// Judges changes of objects as a kube-apiserver does: it creates an object, applies the changed one, and says what is refused.
//
// stdin is a JSON list of changes, `[{"before": …, "after": …}]`; stdout is the list of answers, `[{"created": "", "applied": "spec.selector: …"}]`, an
// empty text for what the server takes. Objects are decoded, given their defaults, merged by server-side apply with force, and validated
// by the strategies of Kubernetes' registry, which is all that its API server does but for admission and storage.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/capabilities"
)

type change struct {
	Before map[string]any `json:"before"`
	After  map[string]any `json:"after"`
}

type answer struct {
	Created string `json:"created"`
	Applied string `json:"applied"`
}

// strategy is how the registry creates and updates objects of a kind.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

func main() {
	var changes []change
	if err := json.NewDecoder(os.Stdin).Decode(&changes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// As kube-apiserver with --allow-privileged, without which no pod is privileged.
	capabilities.Setup(true, 0)
	answers := make([]answer, len(changes))
	for i, each := range changes {
		answers[i] = judge(each)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func judge(each change) (given answer) {
	// As the server, which refuses the request: a few strategies read fields that a change has removed.
	defer func() {
		if fault := recover(); fault != nil {
			given = answer{Applied: fmt.Sprint(fault)}
		}
	}()
	kind := schema.FromAPIVersionAndKind(fmt.Sprint(each.Before["apiVersion"]), fmt.Sprint(each.Before["kind"]))
	strategy, isKnown := strategies[kind.GroupKind()]
	if !isKnown {
		return answer{Created: "no kind of the server"}
	}
	server, err := newServer(kind, strategy)
	if err != nil {
		return answer{Created: err.Error()}
	}
	stored, err := server.create(each.Before)
	if err != nil {
		return answer{Created: err.Error()}
	}
	if err := server.apply(stored, each.After); err != nil {
		return answer{Applied: err.Error()}
	}
	return answer{}
}

// server holds what an API server has for each of its kinds.
type server struct {
	kind     schema.GroupVersionKind
	strategy strategy
	fields   *managedfields.FieldManager
}

var converter = applyconfigurations.NewTypeConverter(legacyscheme.Scheme)

func newServer(kind schema.GroupVersionKind, strategy strategy) (*server, error) {
	scheme := legacyscheme.Scheme
	hub := schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal}
	fields, err := managedfields.NewDefaultFieldManager(converter, scheme, scheme, scheme, kind, hub, "", nil)
	return &server{kind: kind, strategy: strategy, fields: fields}, err
}

func (s *server) create(object map[string]any) (runtime.Object, error) {
	empty, err := legacyscheme.Scheme.New(s.kind)
	if err != nil {
		return nil, err
	}
	// As the patch handler, which gives the live object in the version of the storage.
	internal, err := legacyscheme.Scheme.ConvertToVersion(empty, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, err
	}
	made, err := s.merge(internal, object)
	if err != nil {
		return nil, err
	}
	metadata, err := meta.Accessor(made)
	if err != nil {
		return nil, err
	}
	metadata.SetUID(uuid.NewUUID())
	metadata.SetCreationTimestamp(metav1.Now())
	allocate(made, nil)
	if err := rest.BeforeCreate(s.strategy, s.context(metadata), made); err != nil {
		return nil, err
	}
	metadata.SetResourceVersion("1")
	if claim, isClaim := made.(*core.PersistentVolumeClaim); isClaim {
		// Only a bound claim grows.
		claim.Status.Phase, claim.Status.Capacity = core.ClaimBound, claim.Spec.Resources.Requests
	}
	return made, nil
}

func (s *server) apply(stored runtime.Object, object map[string]any) error {
	changed, err := s.merge(stored.DeepCopyObject(), object)
	if err != nil {
		return err
	}
	allocate(changed, stored)
	metadata, err := meta.Accessor(changed)
	if err != nil {
		return err
	}
	return rest.BeforeUpdate(s.strategy, s.context(metadata), changed, stored)
}

func (s *server) merge(live runtime.Object, object map[string]any) (runtime.Object, error) {
	applied := &unstructured.Unstructured{Object: object}
	return s.fields.Apply(live, applied, "krm-variants", true)
}

func (s *server) context(metadata metav1.Object) context.Context {
	namespace := ""
	if s.strategy.NamespaceScoped() {
		namespace = metadata.GetNamespace()
	}
	info := &request.RequestInfo{APIGroup: s.kind.Group, APIVersion: s.kind.Version}
	return request.WithRequestInfo(request.WithNamespace(context.Background(), namespace), info)
}
