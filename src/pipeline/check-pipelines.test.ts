import { expect, test } from 'vitest'
import { kptfileText } from '../../testdata/written-objects.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { checkPipelines } from './check-pipelines.ts'
import { checkedPipelines as findings, kptfileWithMutators as kptfile, RUNNERS } from './testing/checked-pipelines.ts'

test('each version with differences is one info, at its first function', () => {
  const files = {
    'a/Kptfile': kptfile('{image: "fns.io/lenient:v1.0"}', '{image: "fns.io/lenient:v1.0"}'),
    'b/Kptfile': kptfile('{image: "fns.io/lenient:v1.1"}', '{image: "fns.io/strict:v1.1"}'),
  }
  expect(findings(files)).toEqual([
    'a/Kptfile:7:13: info: `pipeline.mutators[0].image` runs the built-in lenient v1.0, whose answers differ from those of the original on purpose: docs/catalog.md, rows 4, 7 [known-differences]',
    'b/Kptfile:7:13: info: `pipeline.mutators[0].image` runs the built-in lenient v1.1, whose answers differ from those of the original on purpose: docs/catalog.md, row 3 [known-differences]',
  ])
})

test('an image that nothing runs is one info, with the number of packages, and a program or an image that is none is not', () => {
  const files = {
    'a/Kptfile': kptfile('{image: "x.io/y:v1"}', '{image: "x.io/y:v1"}', '{exec: sed}'),
    'b/Kptfile': kptfile('{image: "x.io/y:v1"}'),
  }
  const found = findings(files).filter((line) => line.includes(': info: '))
  expect(found).toEqual([
    expect.stringMatching(
      /^a\/Kptfile:7:13: info: `pipeline\.mutators\[0\]\.image` image 'x\.io\/y:v1' .* \(2 packages need it\) \[no-runner\]$/,
    ),
  ])
  expect(findings({ 'a/Kptfile': kptfile('{image: "A B"}') })).toEqual([expect.stringContaining('[function-image]')])
})

test('a Kptfile of another version is a fault, and not that of an upstream package', () => {
  const files = { 'a/Kptfile': kptfile('{image: "fns.io/any:v1.1"}').replace('kpt.dev/v1\n', 'kpt.dev/v9\n') }
  expect(findings(files)).toEqual([
    expect.stringMatching(/`apiVersion` must be 'kpt\.dev\/v1' to run its pipeline, got 'kpt\.dev\/v9' \[kptfile\]$/),
  ])
  expect(findings(files, (folder) => folder === 'a')).toEqual([])
  expect(findings(files, (folder) => folder === 'b')).toHaveLength(1)
})

test('the context that render adds to a clone is a file of an upstream package alone', () => {
  const files = { 'a/Kptfile': kptfile('{image: "fns.io/any:v1.1", configPath: package-context.yaml}') }
  expect(findings(files)).toEqual([expect.stringContaining('configPath')])
  expect(findings(files, () => true)).toEqual([])
})

const SET = (image: string) =>
  `apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\nspec:\n  targets:\n  - template: {pipeline: {validators: [{image: "${image}"}]}}\n`

test('an image of a template is found too, and counts for no package', () => {
  const files = { 'set.yaml': SET('x.io/y:v1'), 'more.yaml': SET('x.io/y:v1'), 'a/Kptfile': kptfile('{image: "x.io/y:v1"}') }
  expect(findings(files)).toEqual([
    expect.stringMatching(
      /^set\.yaml:6:48: info: `spec\.targets\[0\]\.template\.pipeline\.validators\[0\]\.image` .*(?<!need it\)) \[no-runner\]$/,
    ),
  ])
})

test('images that nothing runs are one info each, before the configs and the differences', () => {
  const files = {
    'a/Kptfile': kptfile('{image: "fns.io/lenient:v1.1", configMap: {x: "1"}}', '{image: "x.io/y:v1"}', '{image: "x.io/z:v1"}'),
    'b/Kptfile': kptfile('{image: "A B"}'),
  }
  expect(findings(files).map((line) => line.replace(/^(\S+) (\w+): .*(\[.*\])$/s, '$1 $2 $3'))).toEqual([
    'b/Kptfile:7:13: error [function-image]',
    'a/Kptfile:8:13: info [no-runner]',
    'a/Kptfile:9:13: info [no-runner]',
    'a/Kptfile:7:48: warning [unknown-field]',
    'a/Kptfile:7:13: info [known-differences]',
  ])
})

test('a Kptfile is known by the name of its file, and what has no file is left out', () => {
  const broken = kptfile('{image: "A B"}')
  expect(findings({ 'a/Kptfile.yaml': broken })).toEqual([])
  expect(checkPipelines([KrmObject.fromDocument(broken)], RUNNERS)).toEqual([])
  expect(checkPipelines([KrmObject.fromDocument(kptfile('{image: "x.io/y:v1"}'))], RUNNERS)).toEqual([])
})

test('the upstream of a Kptfile is judged with its pipeline, also in an upstream package', () => {
  const text = kptfileText('a', 'upstream: {type: git, git: {repo: [x]}}\npipeline: {mutators: [{image: "A B"}]}\n')
  for (const isCloned of [false, true])
    expect(findings({ 'a/Kptfile': text }, () => isCloned)).toEqual([
      expect.stringContaining('[function-image]'),
      expect.stringMatching(/ error: `upstream\.git\.repo` .*\[kptfile\]$/),
    ])
})

test('a config is one file of the package', () => {
  const text = kptfile('{image: "fns.io/any:v1.1", configPath: c.yaml}')
  const config = '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n'
  expect(findings({ 'a/Kptfile': text, 'a/c.yaml': config })).toEqual([])
  expect(findings({ 'a/Kptfile': text, 'c.yaml': config })).toEqual([expect.stringContaining('configPath')])
  expect(findings({ 'a/Kptfile': text, 'a/c.yaml': `${config}---\n${config}` })).toEqual([expect.stringContaining("'c.yaml' has 2")])
})
