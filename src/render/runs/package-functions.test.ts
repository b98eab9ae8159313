import { expect, test } from 'vitest'
import type { Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { answered } from '../../pipeline/calls.ts'
import type { BuiltinFunction } from '../../pipeline/match.ts'
import { evaluate, type KrmFunction } from '../../run.ts'
import type { FunctionRun, PackageToRun } from '../clone/rendered-package.ts'
import { functionsOf, packageToRunOf, pipelineKptfile, runnersOf, type TestFunctions } from '../testing/functions-of.ts'
import { type FunctionSettings, PackageFunctions } from './package-functions.ts'

const edit = (fn: KrmFunction) => (input: string) => evaluate(fn, input)
const setMode = (mode: string) =>
  edit(({ items }) => {
    for (const item of items) if (item.kind === 'ConfigMap') item.set(['data', 'mode'], mode)
  })
const configMap = (name: string, mode = 'day') => configMapText(name, `data:\n  mode: ${mode}\n`)

/** Runs the functions of packages one after the other. */
function runAll(functions: PackageFunctions, ...packages: readonly PackageToRun[]): readonly FunctionRun[] {
  return packages.map((pkg) => answered(functions.run(pkg)))
}

function runOf(texts: Texts, functions: TestFunctions, settings: FunctionSettings = {}): FunctionRun {
  return answered(functionsOf(functions, settings).run(packageToRunOf(texts)))
}

const outcomesOf = (runs: readonly FunctionRun[]) => runs.map(({ outcome }) => outcome)
const rulesOf = ({ results }: Pick<FunctionRun, 'results'>) => results.map(({ severity, tags }) => `${severity} ${tags.rule}`)

/** Returns the changed files as texts; null for a deleted one. */
function changesOf({ changed }: FunctionRun): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Array.from(changed, ([path, bytes]) => [path, bytes === undefined ? null : new TextDecoder().decode(bytes)]))
}

test.each<[string, boolean, Texts]>([
  ['a pipeline has functions', true, { Kptfile: pipelineKptfile('image: test.io/a') }],
  [
    'a pipeline of a subpackage alone has functions',
    true,
    { Kptfile: kptfileText('a'), 'sub/Kptfile': pipelineKptfile('image: test.io/a') },
  ],
  ['no pipeline has none', false, { Kptfile: kptfileText('a', 'info: {}\n"status" : {}\n') }],
  ['the word pipeline in another file has none', false, { Kptfile: kptfileText('a'), 'a.yaml': 'pipeline: {}\n' }],
  ['a field that no Kptfile has may have functions, misspelt', true, { Kptfile: kptfileText('a', 'pipelin: {}\n') }],
  ['a quoted field that no Kptfile has may have functions, misspelt', true, { Kptfile: kptfileText('a', '"pipelin" : {}\n') }],
  ['a field below another one with such a name has none', false, { Kptfile: kptfileText('a', 'info:\n  pipelin: {}\n') }],
  ['a field that begins like one of a Kptfile may have functions', true, { Kptfile: kptfileText('a', 'infos: {}\n') }],
])('a package with %s: %s', (_, expected, texts) => {
  expect(functionsOf({}).mayRun(packageToRunOf(texts))).toBe(expected)
})

test('a package without functions is not read, whatever its files hold, and stays as it is', () => {
  const broken = { 'a.yaml': 'kind: [\n' }
  expect(runOf({ Kptfile: kptfileText('shop'), ...broken }, {})).toEqual({ outcome: 'done', changed: new Map(), ran: [], results: [] })
  expect(runOf({ Kptfile: pipelineKptfile('image: test.io/set'), ...broken }, { set: setMode('night') })).toMatchObject({
    outcome: 'failed',
  })
})

test('a run has the new bytes of changed and new files, and deleted ones without bytes', () => {
  const change = edit((list) => {
    list.items.find(({ name }) => name === 'a')?.set(['data', 'mode'], 'night')
    const gone = list.items.find(({ name }) => name === 'gone')
    if (gone === undefined) return
    list.remove(gone)
    list.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } }, 'new.yaml')
  })
  const files = {
    Kptfile: pipelineKptfile('image: test.io/change'),
    'a.yaml': configMap('a'),
    'b.yaml': configMap('b'),
    'gone.yaml': configMap('gone'),
  }
  const run = runOf(files, { change })
  expect(run).toMatchObject({ outcome: 'done', ran: ['change'], results: [] })
  expect(changesOf(run)).toEqual({ 'a.yaml': configMap('a', 'night'), 'gone.yaml': null, 'new.yaml': configMapText('new') })
})

test('a function is counted by its name without registry, tag and digest, a program without folder and arguments, and none that was skipped', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const mutators = [
    'image: test.io/a:v1',
    `image: "test.io/b@${digest}"`,
    "{image: test.io/a, when: 'false'}",
    'exec: " bin/tool --all x/y"',
  ]
  const programs = new Map([[`test.io/b@${digest}`, ['b']]])
  const program = () => (input: string) => ({ stdout: input, stderr: '', exitCode: 0 })
  const functions = new PackageFunctions(runnersOf({ a: (input) => input }, { programs, allowExec: true, program }))
  const [run] = runAll(functions, packageToRunOf({ Kptfile: pipelineKptfile(...mutators) }))
  expect(run).toMatchObject({ ran: ['a', 'b', 'tool'], results: [] })
})

test('a failed function leaves the package as it is; where the Kptfile asks for that, what the functions before it did is kept', () => {
  const fail = () => ({ stdout: '', stderr: 'no', exitCode: 1 })
  const text = pipelineKptfile('image: test.io/set', 'image: test.io/fail')
  const saving = text.replace('metadata:\n', 'metadata:\n  annotations: {kpt.dev/save-on-render-failure: "true"}\n')
  const run = (Kptfile: string) => runOf({ Kptfile, 'a.yaml': configMap('a') }, { set: setMode('night'), fail })
  expect(run(text)).toMatchObject({ outcome: 'failed', changed: new Map() })
  expect(rulesOf(run(text))).toEqual(['error function-failed'])
  expect(run(saving).outcome).toBe('saved')
  expect(changesOf(run(saving))).toEqual({ 'a.yaml': configMap('a', 'night') })
})

test('infos of functions are left out unless they are asked for, warnings are not', () => {
  const report = (input: string) => `${input}results:\n- {message: fine, severity: info}\n- {message: odd, severity: warning}\n`
  const files = { Kptfile: pipelineKptfile('image: test.io/report') }
  expect(rulesOf(runOf(files, { report }))).toEqual(['warning function-result'])
  expect(rulesOf(runOf(files, { report }, { infos: true }))).toEqual(['info function-result', 'warning function-result'])
})

test('the Kptfile gets the status of the run only where that is asked for', () => {
  const files = { Kptfile: pipelineKptfile('image: test.io/set'), 'a.yaml': configMap('a') }
  const changed = (settings: FunctionSettings) => [...runOf(files, { set: setMode('night') }, settings).changed.keys()]
  expect(changed({})).toEqual(['a.yaml'])
  expect(changed({ status: true }).toSorted()).toEqual(['Kptfile', 'a.yaml'])
})

const UNKNOWN = packageToRunOf({ Kptfile: pipelineKptfile('image: test.io/unknown', 'image: test.io/unknown') })
const KNOWN = packageToRunOf({ Kptfile: pipelineKptfile('image: test.io/set'), 'a.yaml': configMap('a') })

test('a function without a runner is one error with the number of packages, placed at its cause, and then no function of any package runs', () => {
  let calls = 0
  const set = (input: string) => {
    calls++
    return input
  }
  const functions = functionsOf({ set })
  const atCause = (result: FunctionRun['results'][number]) => ({ ...result, position: { line: 99, column: 1 } })
  const mixed = packageToRunOf({ Kptfile: pipelineKptfile('image: test.io/set', 'image: test.io/other') })
  expect(outcomesOf(runAll(functions, { ...UNKNOWN, atCause }, UNKNOWN, mixed, KNOWN))).toEqual(Array(4).fill('unmatched'))
  expect(calls).toBe(0)
  expect(functions.unmatched).toMatchObject([
    { severity: 'error', position: { line: 99 }, field: { path: ['pipeline', 'mutators', 0, 'image'] }, tags: { rule: 'no-runner' } },
    { field: { path: ['pipeline', 'mutators', 1, 'image'] }, tags: { rule: 'no-runner' } },
  ])
  expect(functions.unmatched.map(({ message }) => /\(\d packages need it\)$/.exec(message)?.[0])).toEqual([
    '(2 packages need it)',
    undefined,
  ])
})

test.each([
  ['fail', 'unmatched'],
  ['leave', 'done'],
] as const)('with %s, a package with a function without a runner is %s and unchanged, and other packages run', (withoutRunner, outcome) => {
  const functions = functionsOf({ set: setMode('night') }, { withoutRunner })
  const [left, run] = runAll(functions, UNKNOWN, KNOWN)
  expect(left).toEqual({ outcome, changed: new Map(), ran: [], results: [] })
  expect(run && changesOf(run)).toEqual({ 'a.yaml': configMap('a', 'night') })
  expect(functions.unmatched).toEqual([])
})

test('a comparison runs the same functions, and neither collects those without a runner nor is stopped by these', () => {
  const functions = functionsOf({ set: setMode('night') })
  expect(outcomesOf(runAll(functions.forComparison, UNKNOWN, KNOWN))).toEqual(['unmatched', 'done'])
  expect(functions.unmatched).toEqual([])
  runAll(functions, UNKNOWN)
  expect(outcomesOf(runAll(functions.forComparison, KNOWN))).toEqual(['done'])
})

test('an image that another version runs is a warning at its first package alone', () => {
  const old: BuiltinFunction = {
    name: 'set',
    repositories: ['test.io'],
    versions: ['v1.0.0'],
    run: () => (stdout) => ({ stdout, stderr: '', exitCode: 0 }),
  }
  const functions = new PackageFunctions(runnersOf({}, { builtins: [old], anyVersion: true }))
  const asked = (...tags: readonly string[]) =>
    packageToRunOf({ Kptfile: pipelineKptfile(...tags.map((tag) => `image: test.io/set:${tag}`)) })
  const runs = runAll(functions, asked('v1.1.0', 'v1.1.0'), asked('v1.1.0'), asked('v1.2.0'))
  expect(runs.map(rulesOf)).toEqual([['warning other-version'], [], ['warning other-version']])
})

test('functions that change their own output are a warning once for all packages with the same functions and the same keys of values', () => {
  const grow = edit(({ items }) => {
    for (const item of items) if (item.kind === 'ConfigMap') item.set(['data', 'mode'], `${item.get(['data', 'mode'])}x`)
  })
  const growing = (...configMaps: readonly string[]) =>
    packageToRunOf({
      Kptfile: pipelineKptfile(...configMaps.map((each) => `{image: test.io/grow, configMap: ${each}}`)),
      'a.yaml': configMap('a'),
    })
  const packages = [growing('{a: b}'), growing('{a: c}'), growing('{b: c}'), growing('{a: b}', '{a: b}')]
  const warned = ['warning pipeline-not-idempotent']
  expect(runAll(functionsOf({ grow }), ...packages).map(rulesOf)).toEqual([warned, [], warned, warned])
  for (const withoutRunner of ['fail', 'leave'] as const)
    expect(runAll(functionsOf({ grow }, { withoutRunner }), ...packages).flatMap(rulesOf)).toEqual([])
})

test('the second run begins at what the first one wrote, and a run that failed has none', () => {
  const seen: string[] = []
  const mode = edit(({ items }) => {
    const item = items.find(({ kind }) => kind === 'ConfigMap')
    seen.push(String(item?.get(['data', 'mode'])))
    item?.set(['data', 'mode'], 'night')
  })
  const files = { Kptfile: pipelineKptfile('image: test.io/mode'), 'a.yaml': configMap('a') }
  expect(runOf(files, { mode }).results).toEqual([])
  expect(seen).toEqual(['day', 'night'])
  const failing = pipelineKptfile('image: test.io/mode', 'image: test.io/fail')
  const saving = failing.replace('metadata:\n', 'metadata:\n  annotations: {kpt.dev/save-on-render-failure: "true"}\n')
  seen.length = 0
  for (const Kptfile of [failing, saving]) runOf({ ...files, Kptfile }, { mode, fail: () => ({ exitCode: 1 }) })
  expect(seen).toEqual(['day', 'day'])
})

/** Returns a function that puts a ConfigMap of the package into another file. */
const moveTo = (path: string) =>
  edit((list) => {
    const item = list.items.find(({ name }) => name === 'a')
    if (item !== undefined) list.move(item, { path, index: 0 })
  })
const addAt = (path: string) => edit((list) => void list.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } }, path))

test.each([
  { rule: 'a new file beside one that differs in case is refused', run: addAt('A.yaml'), rules: ['error path-collision'] },
  { rule: 'a file may take the name of a deleted one in another case', run: moveTo('A.yaml'), rules: [] },
  { rule: 'a new file that .krmignore leaves out is refused', run: addAt('gen/new.yaml'), rules: ['error file-unwritable'] },
  { rule: 'a new file elsewhere is written', run: addAt('made/new.yaml'), rules: [] },
])('$rule', ({ run, rules }) => {
  const files = {
    Kptfile: pipelineKptfile('image: test.io/run'),
    'a.yaml': configMap('a'),
    '.krmignore': 'gen\nsecret.yaml\n',
    'secret.yaml': 'x',
  }
  const ran = runOf(files, { run }, { withoutRunner: 'fail' })
  expect(rulesOf(ran)).toEqual(rules)
  expect(ran.outcome).toBe(rules.length > 0 ? 'failed' : 'done')
  expect(ran.changed.size > 0).toBe(rules.length === 0)
  for (const { file } of ran.results) expect(file?.path).toMatch(/^edge\/shop\/(A|gen\/new)\.yaml$/)
})

test('a finding names the file below the folder of the package, and one of the whole package its folder', () => {
  const files = { Kptfile: pipelineKptfile('image: test.io/a'), 'sub/a.yaml': 'kind: [\n' }
  expect(runOf(files, { a: setMode('x') }).results.map(({ file }) => file?.path)).toEqual(['edge/shop/sub/a.yaml'])
})

test('the writer of a field is the last function that changed it; a field that none changed has none', () => {
  const functions = functionsOf({ set: setMode('night'), other: setMode('dusk') })
  const Kptfile = pipelineKptfile('image: test.io/set', 'image: test.io/other')
  const fields = [
    { path: 'a.yaml', index: 0, field: ['data', 'mode'] },
    { path: 'a.yaml', index: 0, field: ['metadata', 'name'] },
  ]
  const writers = answered(functions.writersOf(packageToRunOf({ Kptfile, 'a.yaml': configMap('a') }), fields))
  expect(writers.map((step) => step?.image)).toEqual(['test.io/other', undefined])
})

test('a package whose functions run while a package before it lacks a runner is not made', () => {
  const functions = functionsOf({ set: setMode('night') })
  const begun = functions.run(KNOWN)
  begun.next({ stdout: '', stderr: '', exitCode: undefined })
  runAll(functions, UNKNOWN)
  expect(answered(begun)).toEqual({ outcome: 'unmatched', changed: new Map(), ran: [], results: [] })
})

test('a package waits for its turn before its findings count, and a comparison waits for no package', () => {
  const turnsOf = (functions: PackageFunctions) => {
    const calls = functions.run(KNOWN)
    const turns: string[] = []
    let next = calls.next({ stdout: '', stderr: '', exitCode: undefined })
    for (; next.done !== true; next = calls.next({ stdout: '', stderr: 'no', exitCode: 1 }))
      if (typeof next.value === 'string') turns.push(next.value)
    return turns
  }
  expect(turnsOf(functionsOf({ set: setMode('night') }))).toEqual(['turn'])
  expect(turnsOf(functionsOf({ set: setMode('night') }).forComparison)).toEqual([])
})
