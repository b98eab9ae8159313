import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult, type Result } from '../result.ts'
import { checkPipelines } from './check-pipelines.ts'
import type { BuiltinFunction, Runners } from './match.ts'

const answer = () => ({ stdout: '', stderr: '', exitCode: 0 })

function builtin(name: string, more: Partial<BuiltinFunction> = {}): BuiltinFunction {
  return { name, versions: ['v1.1', 'v1.0'], repositories: ['fns.io'], run: () => answer, ...more }
}

const BROKEN: Result = { severity: 'error', message: 'must have a config', tags: { rule: 'required' } }

/**
 * A function that refuses other keys, one that ignores them and has differences, one that refuses its config, one that writes configs, one
 * of the catalog.
 */
const BUILTINS = [
  builtin('strict', { notes: () => ({ configMapKeys: ['size', 'name'], refusesOtherKeys: true, differences: [] }) }),
  builtin('lenient', {
    notes: (version) => ({ configMapKeys: [], refusesOtherKeys: false, differences: version === 'v1.0' ? [4, 7] : [3] }),
  }),
  builtin('broken', {
    configFindings: (version, config) => (config === undefined ? [{ ...BROKEN, message: `needs a config in ${version}` }] : []),
  }),
  builtin('any', { notes: () => ({ refusesOtherKeys: true, differences: [] }) }),
  builtin('set-labels'),
]

const RUNNERS: Runners = { builtins: BUILTINS, programs: new Map(), allowExec: false, imagePrefix: undefined, program: () => answer }

/** Returns the findings about files, without those of images that nothing runs. */
function findings(files: Readonly<Record<string, string>>, isCloned?: (folder: string) => boolean): readonly string[] {
  const items = Object.entries(files).flatMap(([path, text]) =>
    text.split('---\n').map((each, index) => KrmObject.fromDocument(each, { path, index, line: 1 })),
  )
  return checkPipelines(items, RUNNERS, isCloned).map(formatResult)
}

const kptfile = (...mutators: readonly string[]) =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\npipeline:\n  mutators:\n${mutators.map((fn) => `  - ${fn}\n`).join('')}`
const configMap = (name: string, data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`

test('a key that a function does not know is an error at the key if the function refuses it, else a warning', () => {
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/strict:v1.0", configMap: {size: "1", nmae: x, other: z}}') })).toEqual([
    "a/Kptfile:7:58: error: `pipeline.mutators[0].configMap.nmae` is not an option of strict, which refuses it; its options are 'size', 'name'; did you mean 'name'? [unknown-field]",
    "a/Kptfile:7:67: error: `pipeline.mutators[0].configMap.other` is not an option of strict, which refuses it; its options are 'size', 'name' [unknown-field]",
  ])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/lenient:v1.1", configMap: {x: "1"}}') })[0]).toBe(
    'a/Kptfile:7:48: warning: `pipeline.mutators[0].configMap.x` is not an option of lenient, which ignores it; it has no options [unknown-field]',
  )
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/any:v1.1", configMap: {x: "1"}}') })).toEqual([])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/set-labels:v1.1", configMap: {x: "1"}}') })).toEqual([])
})

test('the config in a file is judged at the file, however the function names it', () => {
  const config = configMap('c', '{nope: x}')
  for (const reference of ['configPath: c.yaml', 'configPath: ./c.yaml', 'configRef: {kind: ConfigMap, name: c}'])
    expect(findings({ 'a/Kptfile': kptfile(`{image: "fns.io/strict:v1.0", ${reference}}`), 'a/c.yaml': config })).toEqual([
      "a/c.yaml:4:8: error: `data.nope` is not an option of strict, which refuses it; its options are 'size', 'name' [unknown-field]",
    ])
})

test.each([
  ['a file that is missing', 'configPath: c.yaml', {}],
  ['a file of a subpackage', 'configPath: sub/c.yaml', { 'a/sub/Kptfile': kptfile(), 'a/sub/c.yaml': configMap('c', '{nope: x}') }],
  [
    'two resources of one name',
    'configRef: {kind: ConfigMap, name: c}',
    { 'a/c.yaml': configMap('c', '{n: x}'), 'a/d.yaml': configMap('c', '{n: x}') },
  ],
  ['a resource of another name', 'configRef: {kind: ConfigMap, name: d}', { 'a/c.yaml': configMap('c', '{nope: x}') }],
  ['a resource of another kind', 'configRef: {kind: Secret, name: c}', { 'a/c.yaml': configMap('c', '{nope: x}') }],
  ['no ConfigMap', 'configPath: c.yaml', { 'a/c.yaml': configMap('c', '{nope: x}').replace('ConfigMap', 'Other') }],
  ['data that is no map', 'configPath: c.yaml', { 'a/c.yaml': configMap('c', '[x]') }],
  ['the context of the package', 'configPath: c.yaml', { 'a/c.yaml': configMap('kptfile.kpt.dev', '{nope: x}') }],
])('the keys of a config in %s are not judged', (_what, reference, files) => {
  const all = findings({ 'a/Kptfile': kptfile(`{image: "fns.io/strict:v1.0", ${reference}}`), ...files })
  expect(all.filter((line) => line.endsWith('[unknown-field]'))).toEqual([])
})

test('what a function says of its config names the function, at the function', () => {
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/broken:v1"}') })).toEqual([
    "a/Kptfile:7:5: error: `pipeline.mutators[0]` 'broken': needs a config in v1.1 [required]",
  ])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/broken:v1", configMap: {a: "1"}}') })).toEqual([])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/broken:v1", configPath: gone.yaml}') }).join()).not.toContain('needs a config')
})

test('a function with a condition, or whose config an earlier function may write, has no errors but warnings', () => {
  const strict = '{image: "fns.io/strict:v1.0", configPath: c.yaml}'
  const errors = (...mutators: readonly string[]) =>
    findings({ 'a/Kptfile': kptfile(...mutators), 'a/c.yaml': configMap('c', '{nope: x}') }).filter((line) =>
      line.includes(': error: `data.nope`'),
    )
  expect(errors(strict)).toHaveLength(1)
  expect(errors('{image: "fns.io/set-labels:v1.0"}', strict)).toHaveLength(1)
  expect(errors('{image: "fns.io/any:v1.0"}', strict)).toEqual([])
  expect(errors('{image: "other.io/x:v1.0"}', strict)).toEqual([])
  expect(errors(strict, '{image: "other.io/x:v1.0"}')).toHaveLength(1)
  expect(errors(strict.replace('}', ', when: "true"}'))).toEqual([])
  const inline = '{image: "fns.io/strict:v1.0", configMap: {nope: x}}'
  const files = { 'a/Kptfile': kptfile('{image: "fns.io/any:v1.0"}', inline) }
  expect(findings(files)).toEqual([expect.stringContaining('configMap.nope')])
  const lenient = findings({ 'a/Kptfile': kptfile('{image: "fns.io/lenient:v1.1", configMap: {x: "1"}, when: "true"}') })
  expect(lenient[0]).toContain('warning: `pipeline.mutators[0].configMap.x`')
})

test('a function of a template that expressions complete has no errors', () => {
  const fn = (more: string) => `{image: "fns.io/strict:v1.0", configMap: {nope: x}${more}}`
  const set = (more: string) =>
    `apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\nspec:\n  targets:\n  - template: {pipeline: {mutators: [${fn(more)}]}}\n`
  const matrix = `apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageVariantMatrix\nmetadata: {name: s}\nspec:\n  template: {pipeline: {mutators: [${fn('')}]}}\n`
  const variant = `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: s}\nspec: {pipeline: {mutators: [${fn(', configMapExprs: []')}]}}\n`
  expect(findings({ 'set.yaml': set('') })).toHaveLength(1)
  expect(findings({ 'set.yaml': set(', configMapExprs: [{key: size, value: a}]') })).toEqual([])
  expect(findings({ 'matrix.yaml': matrix })).toEqual([])
  expect(findings({ 'variant.yaml': variant })).toHaveLength(1)
})

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
