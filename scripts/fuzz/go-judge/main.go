package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Reads lines of JSON texts, each a YAML document, and answers each with a line: its value, or null and why there is none.
func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var text string
			if json.Unmarshal(line, &text) != nil {
				panic("no JSON text")
			}
			answer, _ := json.Marshal(read(text))
			out.Write(append(answer, '\n'))
		}
		if err != nil {
			return
		}
	}
}

func read(text string) (answer any) {
	defer func() {
		if fault := recover(); fault != nil {
			answer = map[string]any{"fault": fmt.Sprint(fault)}
		}
	}()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return map[string]any{"fault": err.Error()}
	}
	if len(document.Content) == 0 {
		return map[string]any{"value": nil}
	}
	return map[string]any{"value": valueOf(document.Content[0])}
}

func valueOf(node *yaml.Node) any {
	switch node.Kind {
	case yaml.MappingNode:
		entries := []any{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			entries = append(entries, []any{node.Content[i].Value, valueOf(node.Content[i+1])})
		}
		return map[string]any{"map": entries}
	case yaml.SequenceNode:
		items := []any{}
		for _, item := range node.Content {
			items = append(items, valueOf(item))
		}
		return map[string]any{"list": items}
	case yaml.AliasNode:
		return map[string]any{"alias": node.Value}
	}
	return scalarOf(node)
}

// Numbers as text: JSON would round them.
func scalarOf(node *yaml.Node) any {
	var value any
	if err := node.Decode(&value); err != nil {
		return map[string]any{"undecodable": node.Value}
	}
	switch value := value.(type) {
	case nil:
		return nil
	case bool:
		return value
	case string:
		return value
	case time.Time:
		return node.Value
	case float64:
		if math.IsNaN(value) {
			return map[string]any{"number": "NaN"}
		}
		return map[string]any{"number": strconv.FormatFloat(value, 'g', -1, 64)}
	}
	return map[string]any{"number": fmt.Sprint(value)}
}
