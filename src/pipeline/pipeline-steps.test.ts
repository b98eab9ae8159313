import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, formatResult } from '../result.ts'
import { readPackageTree } from './package-tree.ts'
import { functionsIn, pipelineFaults, pipelineSteps } from './pipeline-steps.ts'
import { configMapWith, kptfileWith } from './testing/run-of-texts.ts'

function kptfile(mutators: string, head = 'apiVersion: kpt.dev/v1\nkind: Kptfile\n', more = ''): KrmObject {
  const text = `${head}metadata:\n  name: a\npipeline:\n  mutators:\n${mutators}${more}`
  return KrmObject.fromDocument(text, { path: 'Kptfile', index: 0, line: 1 })
}

/** Returns the faults of functions; the file `two.yaml` has two resources, `one.yaml` one. */
function faults(...functions: readonly string[]): readonly string[] {
  const files = new Map([
    ['one.yaml', 1],
    ['two.yaml', 2],
    ['none.yaml', 0],
  ])
  return pipelineFaults(kptfile(functions.map((fn) => `  - ${fn}\n`).join('')), () => files).map((result) =>
    formatResult(result).replace(/^Kptfile:\d+:\d+: /, ''),
  )
}

const AT = '`pipeline.mutators[0]'

test.each([
  ['{image: a/b:v1}', []],
  ['{exec: sed, configMap: {a: b}}', []],
  ['{image: a/b, configPath: one.yaml}', []],
  ['{image: a/b, exec: sed}', [`error: ${AT}\` must have one of 'image' and 'exec', has both [function-program]`]],
  [
    '{image: "A B"}',
    [`error: ${AT}.image\` must be an image reference such as gcr.io/kpt-fn/set-labels:v0.2.0, got 'A B' [function-image]`],
  ],
  [
    '{image: a/b, configPath: two.yaml}',
    [`error: ${AT}.configPath\` must be a file with one resource, 'two.yaml' has 2 [function-config-path]`],
  ],
  ['{image: a/b, configPath: ./d/../two.yaml}', [expect.stringMatching(/ has 2 \[function-config-path\]$/)]],
  ['{image: a/b, configPath: gone.yaml}', [expect.stringMatching(/^error: .*configPath.*gone\.yaml/)]],
  ['{image: a/b, when: nope}', [expect.stringMatching(/^error: `pipeline\.mutators\[0\]\.when` must compile: /)]],
  ['{image: a/b, condition: "true"}', [`error: ${AT}.condition\` must be 'when', as the field is called in kpt's API [condition-not-run]`]],
  [
    '{image: a/b, name: 7}',
    [expect.stringMatching(/^warning: `pipeline\.mutators\[0\]\.name` .*must be a string, .*; kpt reads it as this text \[wrong-type\]$/)],
  ],
  ['{image: a/b, name: [x]}', [expect.stringMatching(/^error: `pipeline\.mutators\[0\]\.name` must be a string, [^;]*\[wrong-type\]$/)]],
  ['{image: a/b, selectors: [{labels: {a: 1.50}}]}', [expect.stringMatching(/^warning: .*labels\.a` .*kpt reads it as this text/)]],
  ['{image: a/b, selectors: [{nmae: x}]}', [expect.stringMatching(/^error: .*nmae.*did you mean 'name'\? \[unknown-field\]$/)]],
  [
    '{image: a/b, selectors: [{resourceFileRegexp: x}]}',
    [expect.stringMatching(/; the main branch of kpt knows it, no release does \[unknown-field\]$/)],
  ],
  ['text', [expect.stringMatching(/^error: `pipeline\.mutators\[0\]` must be a map/)]],
])('the function %s has the faults %j', (fn, expected) => {
  expect(faults(fn)).toEqual(expected)
})

test('the faults of all functions are found at once', () => {
  expect(faults('{image: a/b, exec: x}', '{image: "A B"}').map((line) => /mutators\[\d\]/.exec(line)?.[0])).toEqual([
    'mutators[0]',
    'mutators[1]',
  ])
})

test.each([
  ['apiVersion: kpt.dev/v9\nkind: Kptfile\n', "error: `apiVersion` must be 'kpt.dev/v1' to run its pipeline, got 'kpt.dev/v9' [kptfile]"],
  ['apiVersion: kpt.dev/v1\nkind: Other\n', "error: `kind` must be 'Kptfile' to run its pipeline, got 'Other' [kptfile]"],
  ['apiVersion: kpt.dev/v1alpha1\nkind: Other\n', "error: `kind` must be 'Kptfile' to run its pipeline, got 'Other' [kptfile]"],
  ['', "error: `kind` must be 'Kptfile' to run its pipeline, got '' [kptfile]"],
])('an object that begins with %j is refused, whatever its functions are', (head, message) => {
  const results = pipelineFaults(kptfile('  - {image: "A B"}\n', head), () => new Map())
  expect(results.map((result) => formatResult(result).replace(/^Kptfile:\d+:\d+: /, ''))).toEqual([message])
})

test('a Kptfile of four million characters is read, a longer one is refused', () => {
  const text = '  - {image: a/b}\n'
  const { length } = kptfile(text).toText()
  const long = (characters: number) => kptfile(text, undefined, `# ${'x'.repeat(characters - length - 3)}\n`)
  expect(long(4_000_000).toText()).toHaveLength(4_000_000)
  expect(pipelineFaults(long(4_000_000), () => new Map())).toEqual([])
  expect(pipelineFaults(long(4_000_001), () => new Map()).map(({ message, severity }) => `${severity}: ${message}`)).toEqual([
    'error: a Kptfile must have at most 4000000 characters to run its pipeline, got 4000001',
  ])
})

test('mutators come first, and what is no function is left out', () => {
  const text = 'kind: Kptfile\npipeline:\n  validators: [{name: v}, text]\n  mutators:\n  - {name: a}\n  - null\n  - {name: b}\n'
  const steps = functionsIn(KrmObject.fromDocument(text))
  expect(steps.map(({ stage, name, field }) => `${stage} ${name} ${field.join('.')}`)).toEqual([
    'mutators a pipeline.mutators.0',
    'mutators b pipeline.mutators.2',
    'validators v pipeline.validators.0',
  ])
  for (const none of ['kind: Kptfile\n', 'kind: Kptfile\npipeline: x\n', 'kind: Kptfile\npipeline: {mutators: {a: b}}\n'])
    expect(functionsIn(KrmObject.fromDocument(none))).toEqual([])
})

test('the functions of a template are read at the place of its pipeline', () => {
  const object = KrmObject.fromDocument('spec:\n  pipeline:\n    mutators: [{name: 1.50}]\n')
  expect(functionsIn(object, ['spec', 'pipeline']).map(({ name, field }) => `${name} ${field.join('.')}`)).toEqual([
    '1.50 spec.pipeline.mutators.0',
  ])
})

test('every field is the text that it is written as, and an empty or missing one is the empty text', () => {
  const selector = '{apiVersion: 1.0, kind: 0x1, name: 1.50, namespace: true, labels: {a: 010, b: null}, annotations: {c: 1e3}}'
  const fn = `{name: 1_0, image: 2.0, tag: 1.10, exec: false, configPath: 3.0, configMap: {k: 0644, n: null}, configRef: ${selector}, selectors: [${selector}, text], exclude: [${selector}]}`
  const [step] = functionsIn(KrmObject.fromDocument(`kind: Kptfile\npipeline:\n  mutators: [${fn}]\n`))
  const selected = {
    apiVersion: '1.0',
    kind: '0x1',
    name: '1.50',
    namespace: 'true',
    labels: new Map([
      ['a', '010'],
      ['b', ''],
    ]),
    annotations: new Map([['c', '1e3']]),
  }
  expect(step).toMatchObject({
    ...{ name: '1_0', image: '2.0', tag: '1.10', exec: 'false', configPath: '3.0' },
    configMap: new Map([
      ['k', '0644'],
      ['n', ''],
    ]),
    ...{ configRef: selected, selectors: [selected], exclude: [selected], when: undefined },
  })
  const [bare] = functionsIn(KrmObject.fromDocument('kind: Kptfile\npipeline: {mutators: [{name: null, selectors: x, configRef: x}]}\n'))
  expect(bare).toMatchObject({
    ...{ name: '', image: '', tag: '', exec: '', configPath: '', configMap: new Map() },
    ...{ configRef: undefined, selectors: [], exclude: [], when: undefined },
  })
})

/** Returns the functions of a package, or the errors for which its pipeline does not run. */
function stepsIn(mutator: string, fn = ''): readonly string[] {
  const files: Readonly<Record<string, string>> = { Kptfile: kptfileWith(`pipeline: {mutators: [${mutator}]}`), 'fn.yaml': fn }
  const { root } = readPackageTree(
    folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? '')),
    (path) => path,
  )
  try {
    return pipelineSteps(root).map(({ name, image, configPath }) => `${name} ${image} ${configPath}`)
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map((result) => formatResult(result).replace(/^Kptfile:\d+:\d+: /, ''))
    throw error
  }
}

test('a document that holds only a comment is no resource of the file of a functionConfig', () => {
  const fn = '{name: f, image: a/b, configPath: fn.yaml}'
  const one = configMapWith('one')
  for (const text of [one, `${one}---\n# nothing\n`, `# nothing\n---\n${one}`]) expect(stepsIn(fn, text)).toEqual(['f a/b fn.yaml'])
  expect(stepsIn(fn, `${one}---\n# nothing\n---\n${configMapWith('two')}`)).toEqual([
    `error: ${AT}.configPath\` must be a file with one resource, 'fn.yaml' has 2 [function-config-path]`,
  ])
})

test('a package with a warning about its pipeline has its functions, and one with an error throws the errors alone', () => {
  expect(stepsIn('{image: a/b, name: 7}')).toEqual(['7 a/b '])
  expect(stepsIn('{image: a/b, name: 7, exec: x}')).toEqual([
    `error: ${AT}\` must have one of 'image' and 'exec', has both [function-program]`,
  ])
})
