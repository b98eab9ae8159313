// Builds Kustomizations of Flux as kustomize-controller does, with the packages of the controller.
//
//	flux-build < QUESTIONS
//
// A question is a line of JSON, {"root": FOLDER, "kustomization": OBJECT}. The folder holds what a commit holds. The answer is a line,
// {"objects": [OBJECT…], "error": TEXT}. The steps are those of the controller (reconcile, build): the files of an artifact, a kustomization.yaml
// with the fields of the object where the folder has none, the build, the variables of postBuild, and commonMetadata.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/sourceignore"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type question struct {
	Root          string         `json:"root"`
	Kustomization map[string]any `json:"kustomization"`
}

type answer struct {
	Objects []map[string]any `json:"objects"`
	Error   string           `json:"error"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		objects, err := build(asked)
		told := answer{Objects: objects}
		if err != nil {
			told = answer{Objects: []map[string]any{}, Error: err.Error()}
		}
		text, err := json.Marshal(told)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}

func build(asked question) ([]map[string]any, error) {
	folder, err := os.MkdirTemp("", "flux-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return nil, err
	}
	if err := copyArtifact(asked.Root, folder); err != nil {
		return nil, err
	}
	object := unstructured.Unstructured{Object: asked.Kustomization}
	path, _, err := unstructured.NestedString(object.Object, "spec", "path")
	if err != nil {
		return nil, err
	}
	directory := filepath.Join(folder, path)
	if _, err := os.Stat(directory); err != nil {
		return nil, fmt.Errorf("kustomization path not found: %w", err)
	}
	if _, err := kustomize.NewGenerator(folder, object).WriteFile(directory); err != nil {
		return nil, err
	}
	resources, err := kustomize.SecureBuild(folder, directory, false)
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	objects := []map[string]any{}
	for _, resource := range resources.Resources() {
		if _, found, _ := unstructured.NestedMap(object.Object, "spec", "postBuild"); found {
			if _, err := kustomize.SubstituteVariables(context.Background(), nil, object, resource, kustomize.SubstituteWithDryRun(true)); err != nil {
				return nil, err
			}
		}
		value, err := resource.Map()
		if err != nil {
			return nil, err
		}
		objects = append(objects, withCommonMetadata(value, object))
	}
	return objects, nil
}

// withCommonMetadata does what fluxcd/pkg/ssa SetCommonMetadata does.
func withCommonMetadata(value map[string]any, object unstructured.Unstructured) map[string]any {
	result := unstructured.Unstructured{Object: value}
	for field, set := range map[string]func(string, string){
		"labels": func(key, text string) {
			all := result.GetLabels()
			if all == nil {
				all = map[string]string{}
			}
			all[key] = text
			result.SetLabels(all)
		},
		"annotations": func(key, text string) {
			all := result.GetAnnotations()
			if all == nil {
				all = map[string]string{}
			}
			all[key] = text
			result.SetAnnotations(all)
		},
	} {
		common, _, _ := unstructured.NestedStringMap(object.Object, "spec", "commonMetadata", field)
		for key, text := range common {
			set(key, text)
		}
	}
	return result.Object
}

// copyArtifact copies the files that source-controller packs: those of a commit without what `.sourceignore` and the default patterns exclude.
func copyArtifact(from, to string) error {
	patterns, err := sourceignore.LoadIgnorePatterns(from, nil)
	if err != nil {
		return err
	}
	matcher := sourceignore.NewDefaultMatcher(patterns, nil)
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil || name == "." {
			return err
		}
		if matcher.Match(strings.Split(name, string(filepath.Separator)), entry.IsDir()) {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o644)
	})
}
