// Reads ResourceLists as Porch's wrapper server does; prints a line of JSON for each file among the arguments.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

type answer struct {
	Items   int      `json:"items"`
	Results []string `json:"results"`
	Error   string   `json:"error"`
}

func main() {
	for _, file := range os.Args[1:] {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		_ = json.NewEncoder(os.Stdout).Encode(read(text))
	}
}

func read(text []byte) (found answer) {
	defer func() {
		if fault := recover(); fault != nil {
			found.Error = fmt.Sprint(fault)
		}
	}()
	// SDK 1.1.1 takes an empty text for an empty list, 1.0.2, which Porch has, does not.
	if len(bytes.TrimSpace(text)) == 0 {
		return answer{Error: "expected exactly one object, got 0"}
	}
	list, err := fn.ParseResourceList(text)
	if err != nil {
		return answer{Error: err.Error()}
	}
	for _, item := range list.Items {
		_ = item.String()
	}
	for _, result := range list.Results {
		found.Results = append(found.Results, result.String())
	}
	found.Items = len(list.Items)
	return found
}
