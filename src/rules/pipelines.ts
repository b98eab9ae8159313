import type { RuleRecords } from './rule-record.ts'

/** Functions that packages run. */
export const PIPELINES_RECORDS = {
  'condition-not-run': {
    severity: 'error',
    summary: 'A function of a pipeline has the field `condition`, the planned name of `when`',
    example: '`condition: size(resources) > 0`',
    toFix: 'Write `when`',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: set-labels:v0.1.5, configMap: {a: b}, condition: size(resources) > 0}
  #                                                          ^
`,
    good: ['condition:', 'when:'],
    shownBy: 'testdata/cli/run-when-faults',
  },
  'exec-not-allowed': {
    severity: 'error',
    summary: 'A Kptfile (`exec`) or a RenderVariants (`functions`) names a program of this machine, and the caller did not allow programs',
    example: '`exec: ./local.sh`',
    toFix: 'Look at the program, then add `--allow-exec`',
    run: 'run .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {exec: ./local.sh}
  #        ^
# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
`,
    good: ['exec: ./local.sh', 'image: set-labels:v0.1.5, configMap: {a: b}'],
    shownBy: 'testdata/render-variants/pipeline-exec-not-allowed',
  },
  'exec-unreadable': {
    severity: 'error',
    summary:
      'An `exec`, or a program in `functions` of a RenderVariants, is no program with arguments: a quote is not closed, or it is blank',
    example: "`exec: sh -c 'cat`",
    toFix: 'Close the quote',
    run: 'run . --allow-exec',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {exec: "sh -c 'cat"}
  #        ^
# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
`,
    good: [`"sh -c 'cat"`, `"sh -c 'cat'"`],
    shownBy: 'testdata/render-variants/pipeline-programs-faults',
  },
  'function-condition': {
    severity: 'error',
    summary:
      'The condition of a function (`when`) does not compile, gives something else than true or false, or has no value for the resources that the function would get',
    example: '`when: resorces.size() > 0`; `when: resources[0].spec.enabled`',
    toFix: 'As the hint says; compare a field with a value: `resources[0].spec.enabled == true`',
    run: 'run .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: set-labels:v0.1.5, configMap: {a: b}, when: resorces.size() > 0}
`,
    good: ['resorces', 'resources'],
    shownBy: 'testdata/cli/run-when-no-value',
  },
  'function-config': {
    severity: 'error',
    summary: 'The functionConfig is of a kind that the function does not take',
    example: '`kind: SetContext` for fan-out',
    toFix: 'A `FanOut`, a ConfigMap, a PackageVariantSet, or none',
    shownBy: 'testdata/check-policies/function-config-other',
  },
  'function-config-path': {
    severity: 'error',
    summary: "A function's `configPath` names no file of the package, or its `configRef` no resource of the package, or several",
    example: '`configPath: seters.yaml`; `configRef: {kind: ConfigMap, name: gone}`',
    toFix: 'Name a file of the package, from its folder on; name one resource by apiVersion, kind, name and namespace',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: set-labels:v0.1.5, configPath: labls.yaml}
  #                                        ^
# file: labels.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {a: b}
`,
    good: ['labls', 'labels'],
    shownBy: 'testdata/list-setters/missing-file',
  },
  'function-failed': {
    severity: 'error',
    summary:
      'A function of a pipeline failed: it ended with an exit code other than 0, took too long, or printed no list of resources of its package',
    why: 'The package is unchanged',
    example: '`exec: "false"`',
    toFix: 'Fix what the message says, or the function',
    shownBy: 'testdata/cli/run-failed',
  },
  'function-image': {
    severity: 'error',
    summary: 'The image of a function, or an image in `functions` of a RenderVariants, is no image reference',
    example: '`image: Bad Name`',
    toFix: 'Write it as `gcr.io/kpt-fn/set-labels:v0.2.0`',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: Bad Name}
  #         ^
`,
    good: ['Bad Name', 'set-labels:v0.1.5, configMap: {a: b}'],
    shownBy: 'testdata/render-variants/pipeline-programs-faults',
  },
  'function-result': {
    severity: ['error', 'warning', 'info'],
    when: 'error, warning or info',
    summary: 'A function of a pipeline reported this; an error with exit code 0 does not make the run fail, as in kpt',
    example: '`results: [{message: replicas must be odd, severity: error}]`',
    toFix: 'As the function says',
    shownBy: 'testdata/cli/run-failed',
  },
  'functions-behind': {
    severity: 'warning',
    summary: 'Files of a rendered package changed since its functions ran: a setter, a config, a new resource, a function',
    why: 'The next `render` runs the functions again, as Porch does after each push. Functions that change their own output are not run again',
    example: '`size: xl` in setters.yaml',
    toFix: 'Run `krm-variants render`, or `krm-variants run` on the package',
    shownBy: 'testdata/render-variants/functions-behind',
  },
  'known-differences': {
    severity: 'info',
    summary: 'The pipeline names a version of a built-in function whose answers differ from those of the original on purpose',
    example: '`image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.2.0`',
    toFix: 'Read the rows of docs/catalog.md; use a newer version, or run the original with `--function` or in a container',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: set-namespace:v0.2.0, configMap: {namespace: shop}}
  #         ^
`,
    shownBy: 'testdata/cli/check-functions',
  },
  'no-kptfile': {
    severity: 'error',
    summary: '`run` was given a folder without a Kptfile',
    example: '`krm-variants run manifests`',
    toFix: 'Name the folder of a package',
    run: 'run .',
    bad: `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
`,
    good: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
`,
    shownBy: 'testdata/cli/run-no-kptfile',
  },
  'no-runner': {
    severity: ['error', 'info'],
    when: 'error, info of `check`',
    summary:
      'Nothing can run the image of a function: it is not built in, no program is given for it, and containers are not allowed or cannot run it',
    example: '`image: gcr.io/example/deploy:v1.2.0`',
    toFix:
      'Allow containers with `--allow-containers`, give a program with `--function IMAGE=PROGRAM --allow-exec`, or use a built-in version; for the function `render-variants` the options `containers` and `functions`',
    run: 'run .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: gcr.io/example/deploy:v1.2.0}
  #         ^
# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
`,
    good: ['gcr.io/example/deploy:v1.2.0}', 'set-labels:v0.1.5, configMap: {a: b}}'],
    shownBy: 'testdata/render-variants/pipeline-no-runner',
  },
  'other-version': {
    severity: 'warning',
    summary:
      'A built-in function of the nearest older version runs in place of the named version, which is not built in, because of `--builtin any-version` (`builtin: any-version`)',
    example: '`image: set-labels:v0.2.4`',
    toFix: 'Name a version that is built in, or look at the changes of the versions between',
    shownBy: 'testdata/render-variants/pipeline-other-version',
  },
  'pipeline-not-idempotent': {
    severity: 'warning',
    summary: 'The functions of a package change their own output when they run on it again',
    why: 'Every render will change the package, and edits of people cannot be distinguished from what functions write',
    example: '`exec: sed s/x/xx/`',
    toFix: 'Write the function so that a second run changes nothing',
    shownBy: 'testdata/cli/render-not-idempotent',
  },
  'program-unused': {
    severity: 'warning',
    summary: 'A program of `--function` never runs: no pipeline of the packages of `krm-variants run` names its image',
    example: '`--function gcr.io/kpt-fn/set-label=./set-labels`',
    toFix: 'Name the image as the Kptfile does, or remove the option',
    shownBy: 'testdata/cli/run-function-unused',
  },
  'selector-unmatched': {
    severity: 'warning',
    summary:
      'A selector or exclusion of a function in a pipeline names a kind or name that no resource of the package has, and one has a near one',
    why: 'As in kpt, the selector selects nothing',
    example: '`selectors: [{kind: Deploymnt}]`',
    toFix: 'The kind or name in "did you mean"',
    shownBy: 'testdata/cli/run-selector-misspelt',
  },
  'setter-unmatched': {
    severity: 'warning',
    summary: 'A function apply-setters gets a setter that no resource has in a comment `# kpt-set:`, so the value goes nowhere',
    why: 'Most likely the name is misspelt',
    example: '`replicaCount: "3"` for `# kpt-set: ${replicas}`',
    toFix: 'Write the name of the comment, or remove the setter',
    run: 'run .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: apply-setters:v0.2.0, configMap: {replcias: "3"}}
  #                                                     ^
# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  replicas: "1" # kpt-set: \${replicas}
`,
    good: ['replcias', 'replicas'],
    shownBy: 'testdata/render-variants/setter-unmatched',
  },
} as const satisfies RuleRecords
