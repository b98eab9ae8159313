module krm-variants/go-judge

go 1.21

require go.yaml.in/yaml/v3 v3.0.4
