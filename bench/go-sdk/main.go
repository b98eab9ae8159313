// Functions on the Go SDK: what `npm run bench` compares with. Without an argument the function changes nothing; with `labels`, `namespace`
// or `replicas` the function does the work of set-labels, set-namespace or apply-setters, without their results.
package main

import (
	"os"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

var functions = map[string]func(*fn.KubeObject) error{
	"labels":    label,
	"namespace": func(item *fn.KubeObject) error { return item.SetNamespace("shop") },
	"replicas":  func(item *fn.KubeObject) error { return item.SetNestedInt(5, "spec", "replicas") },
}

func main() {
	edit := func(*fn.KubeObject) error { return nil }
	if len(os.Args) > 1 {
		edit = functions[os.Args[1]]
		// The SDK reads its arguments as files.
		os.Args = os.Args[:1]
	}
	process := func(list *fn.ResourceList) (bool, error) {
		for _, item := range list.Items {
			if item.GetKind() != "Deployment" {
				continue
			}
			if err := edit(item); err != nil {
				return false, err
			}
		}
		return true, nil
	}
	if err := fn.AsMain(fn.ResourceListProcessorFunc(process)); err != nil {
		os.Exit(1)
	}
}

// The places of a Deployment that set-labels writes beside its own labels.
var places = [][]string{{"spec", "selector", "matchLabels"}, {"spec", "template", "metadata", "labels"}}

func label(item *fn.KubeObject) error {
	if err := item.SetLabel("site", "north"); err != nil {
		return err
	}
	for _, path := range places {
		if err := item.SetNestedString("north", append(path, "site")...); err != nil {
			return err
		}
	}
	return nil
}
