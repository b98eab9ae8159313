import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { evaluate, type KrmFunction } from '../../src/run.ts'
import { recordRun } from '../cli/recorded-run.ts'
import { testFolder } from '../test-folder.ts'
import { WRAPPER } from './attack.ts'
import { HostileFleet } from './hostile-fleet.ts'
import { MISSING, MODES } from './raw-repository.ts'

let fleet: HostileFleet
beforeEach(() => {
  const root = testFolder()
  fleet = new HostileFleet(root)
})

const run = (...args: readonly string[]) => recordRun(fleet.folder, args)
const render = () => run('render', 'fleet', '--out', 'clusters')

/** Expects a run that ends with an error, names a path and a rule, and leaves every file as it was. */
async function expectRefused(act: () => ReturnType<typeof run>, path: string, rule: string): Promise<void> {
  const before = fleet.state()
  const { exitCode, stdout, stderr } = await act()
  expect(stderr).toContain(path)
  expect(stderr).toContain(`[${rule}]`)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(fleet.state()).toEqual(before)
}

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n'

describe('an upstream package in a folder', () => {
  test.each([
    ['.git in large letters', '.GIT/config', '.GIT/config', 'unsafe-path'],
    ['the short name of .git', 'git~1/config', 'git~1/config', 'unsafe-path'],
    ['.git with a code point that HFS+ passes over', '.g\u200cit/config', '.g\\u200cit/config', 'unsafe-path'],
    ['.git with a dot behind', 'sub/.git./config', 'sub/.git./config', 'unsafe-path'],
    ['a backslash', '..\\..\\escaped.yaml', '..\\\\..\\\\escaped.yaml', 'unsafe-path'],
    ['a newline', 'a\n::error::b.yaml', 'a\\n::error::b.yaml', 'unsafe-path'],
    ['an escape sequence', '\u001b[2J.yaml', '\\u001b[2J.yaml', 'unsafe-path'],
    ['a file that differs in case', 'kptfile', 'kptfile', 'path-collision'],
    ['a folder that differs in case', 'SUB/b.yaml', 'sub/a.yaml', 'path-collision'],
    ['a file that differs in its Unicode form', 'cafe\u0301.yaml', 'caf\\u00e9.yaml', 'path-collision'],
  ])('with %s is refused, and nothing is written', async (_, path, printed, rule) => {
    for (const each of ['Kptfile', 'sub/a.yaml', 'caf\u00e9.yaml', path])
      fleet.put(`fleet/catalog/upf@v1/${each}`, each === 'Kptfile' ? KPTFILE : '')
    await expectRefused(render, `fleet/catalog/upf@v1/${printed}`, rule)
  })

  test('with a pipe is refused, and nobody waits for it', async () => {
    fleet.put('fleet/catalog/upf@v1/Kptfile', KPTFILE)
    execFileSync('mkfifo', [join(fleet.folder, 'fleet/catalog/upf@v1/pipe')])
    await expectRefused(render, 'fleet/catalog/upf@v1/pipe', 'tree-entry')
  })

  test('with a name that is no UTF-8 is refused', async () => {
    fleet.put('fleet/catalog/upf@v1/Kptfile', KPTFILE)
    const name = Buffer.concat([Buffer.from(`${fleet.folder}/fleet/catalog/upf@v1/a`), Buffer.of(0xff)])
    writeFileSync(name, '')
    const { exitCode, stderr } = await render()
    expect(stderr).toContain('fleet/catalog/upf@v1/a\\ufffd: error: `path` must be UTF-8 [unsafe-path]')
    expect({ exitCode, written: readdirSync(fleet.folder) }).toEqual({ exitCode: 1, written: ['catalog.git', 'fleet'] })
    rmSync(name)
  })
})

describe('an update', () => {
  beforeEach(async () => {
    fleet.release('v1', [fleet.raw.file('a.yaml', 'kind: A\nmetadata: {name: a}\n')])
    expect(await render()).toMatchObject({ exitCode: 0 })
    fleet.ask('v2')
  })

  const added = () => fleet.raw.folder('sub', [fleet.raw.file('b.yaml', 'kind: B\nmetadata: {name: b}\n')])

  test.each([
    ['a way out', '../escaped.yaml', () => fleet.raw.file('../escaped.yaml'), 'unsafe-path'],
    ['a hook of git', '.git/hooks/post-checkout', () => fleet.raw.file('.git/hooks/post-checkout'), 'unsafe-path'],
    ['a submodule', 'sub', () => ({ mode: MODES.submodule, name: 'sub', id: MISSING }), 'tree-entry'],
    ['a file without content', 'b.yaml', () => ({ mode: MODES.file, name: 'b.yaml', id: MISSING }), 'tree-entry'],
  ])('to a revision with %s is refused, and the package stays', async (_, path, entry, rule) => {
    fleet.release('v2', [fleet.raw.file('a.yaml'), entry()])
    await expectRefused(render, `:upf/${path}`, rule)
  })

  test('from a revision whose content is lost is refused: no edit can be told from a change of upstream', async () => {
    fleet.release('v2', [fleet.raw.file('a.yaml', 'kind: A\nmetadata: {name: b}\n')])
    const lost = fleet.raw.blob('kind: A\nmetadata: {name: a}\n')
    rmSync(join(fleet.folder, `catalog.git/.git/objects/${lost.slice(0, 2)}/${lost.slice(2)}`))
    await expectRefused(render, lost, 'tree-entry')
  })

  test('writes nothing through a link to the package of another variant', async () => {
    fleet.release('v2', [fleet.raw.file('a.yaml', 'kind: A\nmetadata: {name: a}\n'), added()])
    fleet.put('clusters/edge/smf/sub/keep.yaml', 'of others\n')
    symlinkSync('../smf/sub', join(fleet.folder, 'clusters/edge/upf/sub'))
    await expectRefused(render, 'clusters/edge/upf/sub/b.yaml', 'path-collision')
  })

  test('writes nothing through a link out of the folder', async () => {
    fleet.release('v2', [fleet.raw.file('a.yaml', 'kind: A\nmetadata: {name: a}\n'), added()])
    mkdirSync(join(fleet.folder, 'elsewhere'))
    symlinkSync('../../../elsewhere', join(fleet.folder, 'clusters/edge/upf/sub'))
    await expectRefused(render, 'clusters/edge/upf/sub/b.yaml', 'path-collision')
  })

  test("writes no new file over one of people's that differs in case alone", async () => {
    fleet.release('v2', [fleet.raw.file('a.yaml', 'kind: A\nmetadata: {name: a}\n'), fleet.raw.file('readme.md')])
    fleet.put('clusters/edge/upf/README.md', 'written by hand\n')
    await expectRefused(render, 'clusters/edge/upf/readme.md', 'path-collision')
  })
})

test('a revision of the fleet itself goes through the same gate', async () => {
  const file = fleet.raw.file('a\u001b[2J.yaml', 'kind: A\nmetadata: {name: a}\n')
  fleet.raw.release('v1', [file, { mode: MODES.file, name: 'b.yaml', id: MISSING }])
  fleet.put('catalog.git/set.yaml', SET)
  const { exitCode, stdout, stderr } = await run('plan', 'catalog.git', '--against', 'v1')
  expect(stderr).toContain('v1:catalog.git/a\\u001b[2J.yaml: error: `path` must not contain a control character [unsafe-path]')
  expect(stderr).toContain(`object ${MISSING} of v1 is missing [tree-entry]`)
  expect({ exitCode, isText: /^[\n -~\u2192\u2026]*$/.test(stdout + stderr) }).toEqual({ exitCode: 1, isText: true })
})

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: upf
spec:
  upstream: {repo: catalog, package: upf, revision: 1}
  targets:
  - repositories: [{name: edge}]
`

const REPOSITORY = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: edge
`

const FUNCTIONS = readdirSync(join(import.meta.dirname, '../../functions'))

/** The function of a folder: functions/fan-out/fan-out.ts exports fanOut. */
async function importFunction(name: string): Promise<KrmFunction> {
  const exported = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const module: Record<string, KrmFunction> = await import(`../../functions/${name}/${name}.ts`)
  const fn = module[exported]
  if (fn === undefined) throw new Error(`functions/${name}/${name}.ts must export ${exported}`)
  return fn
}

const item = (annotations: string) => `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n${annotations}`
const annotated = (lines: string) => item(`    annotations:\n${lines}`)

/** Each way to write a path that only a reader of YAML sees. */
const ITEMS = [
  ['a way out', annotated("      internal.config.kubernetes.io/path: '../../escaped.yaml'\n")],
  ['a way out behind a folder', annotated("      internal.config.kubernetes.io/path: 'a/../../escaped.yaml'\n")],
  ['an absolute path', annotated("      internal.config.kubernetes.io/path: '/escaped.yaml'\n")],
  ['a hook of git', annotated("      internal.config.kubernetes.io/path: '.git/hooks/post-checkout'\n")],
  ['.git in large letters', annotated('      internal.config.kubernetes.io/path: sub/.GIT/config\n')],
  [
    'a way out in the older annotation',
    annotated("      config.kubernetes.io/path: '../escaped.yaml'\n      internal.config.kubernetes.io/path: 'a.yaml'\n"),
  ],
  ['a way out written with escapes', annotated('      internal.config.kubernetes.io/path: "\\x2e\\x2e/escaped.yaml"\n')],
  ['a key written with escapes', annotated('      "internal.config.kubernetes.io/p\\x61th": ../escaped.yaml\n')],
  ['a way out in the next line', annotated('      internal.config.kubernetes.io/path: a\n        /../../escaped.yaml\n')],
  ['a way out in a block', annotated('      internal.config.kubernetes.io/path: >-\n        ../escaped.yaml\n')],
  ['a way out behind a tag', annotated('      internal.config.kubernetes.io/path: !!str ../escaped.yaml\n')],
  ['a way out in braces', item('    annotations: {internal.config.kubernetes.io/path: ../escaped.yaml}\n')],
  ['a way out behind a comma', annotated('      internal.config.kubernetes.io/path: a,b/../../escaped.yaml\n')],
  ['a newline', annotated('      internal.config.kubernetes.io/path: "a\\n::error::b.yaml"\n')],
  ['a file of the tool in the making', annotated("      internal.config.kubernetes.io/path: 'a.yaml.krm-variants-new'\n")],
] as const

describe.each(FUNCTIONS)('an item of a list for %s', (name) => {
  test.each(ITEMS)('that is named by %s is refused, and the list is as it was', async (_, text) => {
    const list = `${WRAPPER}${text}`
    const { exitCode, stdout, stderr } = evaluate(await importFunction(name), list)
    expect(stderr).toMatch(/^ConfigMap a: error: `metadata\.annotations\[.*\[unsafe-path\]\n$/)
    expect({ exitCode, isSame: stdout.startsWith(list) }).toEqual({ exitCode: 1, isSame: true })
  })
})

describe('a function of others', () => {
  const LIST = `${WRAPPER}${annotated("      internal.config.kubernetes.io/path: 'a.yaml'\n")}`
  const value = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } }

  test.each([
    ['adds an item outside', (list) => void list.upsert(value, '../../escaped.yaml')],
    ['adds an item to the folder of git', (list) => void list.upsert(value, '.git/hooks/post-checkout')],
    ['moves an item outside', (list) => list.items[0]?.set(['metadata', 'annotations', 'internal.config.kubernetes.io/path'], '../a.yaml')],
    [
      'hides the way out',
      (list) => void list.upsert({ ...value, metadata: { name: 'b', annotations: { 'config.kubernetes.io/path': 'x' } } }, '..\\b.yaml'),
    ],
  ] as const satisfies readonly (readonly [string, KrmFunction])[])('that %s changes nothing', (_, fn) => {
    const { exitCode, stdout, stderr } = evaluate(fn, LIST)
    expect(stderr).toContain('[unsafe-path]')
    expect({ exitCode, isSame: stdout.startsWith(LIST) }).toEqual({ exitCode: 1, isSame: true })
  })
})

test('a saved plan whose files have hostile names is refused, whatever it says of them', async () => {
  rmSync(join(fleet.folder, 'fleet/variant.yaml'))
  fleet.put('fleet/set.yaml', SET)
  fleet.put('fleet/repositories.yaml', REPOSITORY)
  expect(await run('plan', 'fleet', '--out', 'plan.json')).toMatchObject({ stderr: expect.not.stringContaining('error') })
  const plan = JSON.parse(readFileSync(join(fleet.folder, 'plan.json'), 'utf8'))
  for (const path of ['../../../escaped.yaml', '.git/hooks/post-checkout', '/escaped.yaml', 'a\u001b[2J.yaml']) {
    fleet.put('plan.json', JSON.stringify({ ...plan, files: { ...plan.files, [path]: '0'.repeat(64) } }))
    const before = fleet.state()
    const { exitCode, stdout, stderr } = await run('render', 'fleet', '--out', 'clusters', '--plan', 'plan.json')
    expect(stderr).toMatch(/^[\n -~]+$/)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(fleet.state()).toEqual(before)
  }
})

describe('a file of the fleet that is a link out of it', () => {
  const COMMANDS = [
    ['check --fix', ['check', 'fleet', '--fix']],
    ['schema --into', ['schema', 'PackageVariantSet', '--write', 'schemas', '--into', 'fleet']],
  ] as const
  beforeEach(() => {
    fleet.put('outside.yaml', SET.replace('revision: 1', 'revision: v1'))
    symlinkSync('../outside.yaml', join(fleet.folder, 'fleet/set.yaml'))
  })

  test.each(COMMANDS)('is not written by %s in a git repository that holds both', async (_, args) => {
    mkdirSync(join(fleet.folder, '.git'))
    await expectRefused(() => run(...args), 'fleet/set.yaml', 'file-unwritable')
  })

  test.each(COMMANDS)('is not read by %s without a git repository, which is an error', async (_, args) => {
    const before = readFileSync(join(fleet.folder, 'outside.yaml'), 'utf8')
    const { stdout, stderr, exitCode } = await run(...args)
    expect(exitCode).toBe(1)
    expect(stdout + stderr).toContain('fleet/set.yaml: error: cannot be read: the symbolic link leads out of the folder;')
    expect(readFileSync(join(fleet.folder, 'outside.yaml'), 'utf8')).toBe(before)
  })
})

test('a list on stdin for a command goes through the same gate', async () => {
  const list = `${WRAPPER}${annotated("      internal.config.kubernetes.io/path: '../../escaped.yaml'\n")}`
  const { exitCode, stderr } = await recordRun(fleet.folder, ['plan', '-'], { read: async () => list })
  expect(stderr).toContain('[unsafe-path]')
  expect(exitCode).toBe(1)
})
