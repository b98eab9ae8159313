import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { finish } from '../progress.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { evaluate, type KrmFunction } from '../run.ts'
import { functionsIn } from './pipeline-steps.ts'
import { type PackageRun, readOnePackage, readPackages, runPackages, stepsOf } from './run-packages.ts'
import { AT_ONCE } from './runners/program.ts'
import { waited } from './testing/waited.ts'

const CONFIG_MAP = `# kept
apiVersion: v1
kind: ConfigMap
metadata:
  name: NAME   # who
data:
  level:   'low'
`

function configMap(name: string): string {
  return CONFIG_MAP.replace('NAME', name)
}

function kptfile(name: string, ...lines: readonly string[]): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n${lines.map((line) => `${line}\n`).join('')}`
}

/** Runs one package whose programs are the given functions, by the word in `exec`. */
function run(files: Readonly<Record<string, string>>, programs: Readonly<Record<string, KrmFunction>>, status = false): PackageRun {
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const packages = readPackages([{ tree, place: '/fleet/pkg', name: (path) => path }])
  const runners = {
    builtins: [],
    programs: new Map(),
    allowExec: true,
    imagePrefix: undefined,
    program:
      ([word = '']: readonly string[]) =>
      (input: string) =>
        evaluate(programs[word] ?? (() => {}), input),
  }
  const [first] = finish(runPackages(packages, runners, { status }))
  if (first === undefined) throw new Error('one package was asked for')
  return first
}

function setLevel(level: string): KrmFunction {
  return (list) => {
    for (const item of list.items) if (item.kind === 'ConfigMap') item.set(['data', 'level'], level)
  }
}

test('a function changes the lines of its values alone, and a file that it leaves keeps every byte', () => {
  const files = {
    Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: up, selectors: [{name: b}]}]}'),
    'b.yaml': configMap('b'),
    'c.yaml': configMap('c'),
  }
  expect(run(files, { up: setLevel('high') }).changes).toMatchObject([
    { path: 'b.yaml', op: 'update', text: configMap('b').replace("'low'", "'high'") },
  ])
})

test('functions that are added to a package come before its own, and go to no subpackage', () => {
  const files: Readonly<Record<string, string>> = {
    Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: own}]}'),
    'sub/Kptfile': kptfile('sub', 'pipeline: {mutators: [{exec: below}]}'),
  }
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const added = functionsIn(KrmObject.fromDocument(kptfile('v', 'pipeline: {mutators: [{exec: first}, {exec: second}]}')))
  const read = readOnePackage({ tree, place: '/fleet/pkg', name: (path) => path }, added)
  expect(stepsOf([read]).map((step) => `${step.kptfile.name} ${step.exec}`)).toEqual(['v first', 'v second', 'a own', 'sub below'])
})

test('warnings of reading a package are among the results of its run', () => {
  const files = { Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: see}]}'), 'b.yaml': `${configMap('b')}...\nlevel: lost\n` }
  const { failed, results } = run(files, {})
  expect(failed).toBe(false)
  expect(results.map(({ severity, file, message }) => [severity, file?.path, message])).toEqual([
    ['warning', 'b.yaml', "what follows the line '...' is not read; begin the next document with '---'"],
  ])
})

test('mutators run before validators, wherever the Kptfile has them, and what validators change is dropped', () => {
  const files = { Kptfile: kptfile('a', 'pipeline: {validators: [{exec: see}], mutators: [{exec: up}]}'), 'b.yaml': configMap('b') }
  const seen: unknown[] = []
  const see: KrmFunction = (list) => {
    seen.push(list.items[1]?.get(['data', 'level']))
    setLevel('changed')(list)
  }
  const { changes, steps } = run(files, { up: setLevel('high'), see })
  expect({ seen, functions: steps.map(({ step }) => step.exec) }).toEqual({ seen: ['high'], functions: ['up', 'see'] })
  expect(changes[0]?.text).toContain("'high'")
})

test('the functionConfig of a step is what the steps before it made of the resource', () => {
  const files = { Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: up}, {exec: see, configPath: c.yaml}]}'), 'c.yaml': configMap('c') }
  const seen: unknown[] = []
  run(files, { up: setLevel('high'), see: (list) => void seen.push(list.functionConfig?.get(['data', 'level'])) })
  expect(seen).toEqual(['high'])
})

test('a configRef names the resource that is the functionConfig', () => {
  const files = {
    Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: see, configRef: {kind: ConfigMap, name: c}}]}'),
    'b.yaml': configMap('b'),
    'c.yaml': configMap('c'),
  }
  const seen: unknown[] = []
  run(files, { see: (list) => void seen.push(list.functionConfig?.name) })
  expect(seen).toEqual(['c'])
})

test('scalars of a configMap reach the function as the texts that they are written as', () => {
  const files = { Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: see, configMap: {mode: 0644, on: true, none: null}}]}') }
  const seen: unknown[] = []
  run(files, { see: (list) => void seen.push(list.functionConfig?.get(['data'])) })
  expect(seen).toEqual([{ mode: '0644', none: '', on: 'true' }])
})

test('a new resource goes to a file named after it, below a folder of its namespace, with the comments that the function wrote', () => {
  const files = { Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: add}]}') }
  const text = 'apiVersion: v1\nkind: Role\nmetadata:\n  name: r # why\n  namespace: ops\n'
  const answer = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`
  const tree = folderTree(Object.keys(files), () => Buffer.from(files.Kptfile))
  const packages = readPackages([{ tree, place: '/a', name: (path) => path }])
  const program = () => (input: string) => ({
    stdout: input.replace('items:\n', answer.slice(answer.indexOf('items:'))),
    stderr: '',
    exitCode: 0,
  })
  const [first] = finish(runPackages(packages, { builtins: [], programs: new Map(), allowExec: true, imagePrefix: undefined, program }))
  expect(first?.changes).toMatchObject([{ path: 'ops/role_r.yaml', op: 'create', text }])
})

test('a file of JSON stays JSON', () => {
  const json = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"n":12345678901234567890}'
  const files = { Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: label}]}'), 'c.json': json }
  const { changes } = run(files, { label: (list) => list.items[1]?.set(['metadata', 'labels'], { a: 'b' }) })
  expect(changes.map(({ path }) => path)).toEqual(['c.json'])
  expect(changes[0]?.text).toContain('"n":12345678901234567890')
  expect(JSON.parse(changes[0]?.text ?? '')).toMatchObject({ metadata: { name: 'c', labels: { a: 'b' } } })
})

test('after a failure nothing is written, and with save-on-render-failure what the functions before it did', () => {
  const pipeline = 'pipeline: {mutators: [{exec: up}, {exec: gone}]}'
  const programs = { up: setLevel('high'), gone: (list: Parameters<KrmFunction>[0]) => list.items.forEach(list.remove, list) }
  const plain = run({ Kptfile: kptfile('a', pipeline), 'b.yaml': configMap('b') }, programs)
  expect({ failed: plain.failed, changes: plain.changes }).toEqual({ failed: true, changes: [] })
  const saving = kptfile('a', '  annotations: {kpt.dev/save-on-render-failure: "TRUE"}', pipeline)
  const saved = run({ Kptfile: saving, 'b.yaml': configMap('b') }, programs)
  expect(saved.failed).toBe(true)
  expect(saved.changes.map(({ path }) => path)).toEqual(['b.yaml'])
})

test('the resources of subpackages are saved once after the root package failed', () => {
  const files = {
    Kptfile: kptfile('a', '  annotations: {kpt.dev/save-on-render-failure: "true"}', 'pipeline: {mutators: [{exec: gone}]}'),
    'sub/Kptfile': kptfile('sub', 'pipeline: {mutators: [{exec: up}]}'),
    'sub/b.yaml': configMap('b'),
  }
  const gone: KrmFunction = (list) => list.items.forEach(list.remove, list)
  const { failed, changes } = run(files, { up: setLevel('high'), gone })
  expect(failed).toBe(true)
  expect(changes).toMatchObject([{ path: 'sub/b.yaml', op: 'update', text: configMap('b').replace("'low'", "'high'") }])
})

test('a second run changes nothing', () => {
  const files = { Kptfile: kptfile('a', 'pipeline: {mutators: [{exec: up}]}'), 'b.yaml': configMap('b') }
  const [change] = run(files, { up: setLevel('high') }).changes
  expect(run({ ...files, 'b.yaml': change?.text ?? '' }, { up: setLevel('high') }).changes).toEqual([])
})

test('the status of a run is written once, with comments kept, and goes nowhere where a function removes the Kptfile', () => {
  const files = { Kptfile: kptfile('a # mine', 'pipeline: {mutators: [{exec: up}]}'), 'b.yaml': configMap('b') }
  const first = run(files, { up: setLevel('high') }, true)
  const written = Object.fromEntries(first.changes.map(({ path, text }) => [path, text]))
  expect(written.Kptfile).toMatch(/^ {2}name: a # mine$/m)
  expect(written.Kptfile).toContain('renderStatus:\n    mutationSteps:\n')
  expect(run({ ...files, ...written }, { up: setLevel('high') }, true).changes).toEqual([])
  const gone = run(files, { up: (list) => list.items.slice(0, 1).forEach(list.remove, list) }, true)
  expect(gone.changes.map(({ op, path }) => `${op} ${path}`)).toEqual(['delete Kptfile'])
})

test('several packages at once give what one after the other gives, in their order', async () => {
  const texts = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    Kptfile: kptfile(name, 'pipeline: {mutators: [{exec: up}]}'),
    'b.yaml': configMap(name),
  }))
  const read = () =>
    readPackages(
      texts.map((files) => ({
        tree: folderTree(Object.keys(files), (path) => Buffer.from(path === 'Kptfile' ? files.Kptfile : files['b.yaml'])),
        place: '/fleet/pkg',
        name: (path) => path,
      })),
    )
  const answer = (input: string) => evaluate(setLevel('high'), input)
  let [running, most] = [0, 0]
  const later = async (input: string) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running--
    return answer(input)
  }
  const runners = {
    builtins: [],
    programs: new Map(),
    allowExec: true,
    imagePrefix: undefined,
    program: () => Object.assign(answer, { later }),
  }
  const changesOf = (runs: readonly PackageRun[]) => runs.map(({ changes }) => changes)
  expect(changesOf(await waited(runPackages(read(), runners)))).toEqual(changesOf(finish(runPackages(read(), runners))))
  expect(most).toBe(Math.min(AT_ONCE, texts.length))
})

test('a Kptfile that is too long is refused before its functions are read', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `      s${index}: ${'v'.repeat(90_000)}`).join('\n')
  const Kptfile = kptfile('a', 'pipeline:', '  mutators:', '  - exec: up', '    configMap:', lines)
  const { failed, changes, results } = run({ Kptfile, 'b.yaml': configMap('b') }, { up: setLevel('high') })
  expect({ failed, changes }).toEqual({ failed: true, changes: [] })
  expect(results.map(({ message }) => message)).toEqual([
    `a Kptfile must have at most 4000000 characters to run its pipeline, got ${Kptfile.length}`,
  ])
})

test('a file that is no resource refuses a package without functions, and one with a function that gets the file', () => {
  const failed = (pipeline: string) => run({ Kptfile: kptfile('a', pipeline), 'values.yaml': 'replicas: 2\n' }, {}).failed
  expect(failed('pipeline: {}')).toBe(true)
  expect(failed('pipeline: {mutators: [{exec: up}]}')).toBe(true)
  expect(failed('pipeline: {mutators: [{exec: up, selectors: [{kind: Kptfile}]}]}')).toBe(false)
})
