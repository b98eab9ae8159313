// Says which files of a folder Argo CD reads for an Application with `directory`, with Argo CD's own matching of patterns.
//
//	argocd-files < QUESTIONS
//
// A question is a line of JSON, {"exclude": PATTERN, "paths": [PATH…]}, the answer a line with the paths that are read: those of manifests that the
// pattern does not match (reposerver/repository, findManifests).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"

	"github.com/argoproj/argo-cd/v3/util/glob"
)

var manifest = regexp.MustCompile(`^.*\.(yaml|yml|json|jsonnet)$`)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var asked struct {
			Exclude string   `json:"exclude"`
			Paths   []string `json:"paths"`
		}
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		read := []string{}
		for _, path := range asked.Paths {
			if manifest.MatchString(path) && (asked.Exclude == "" || !glob.Match(asked.Exclude, path)) {
				read = append(read, path)
			}
		}
		text, err := json.Marshal(read)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}
