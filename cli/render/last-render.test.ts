import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFolder } from '../../e2e/folder-copy.ts'
import { type RecordedRun, recordRun } from '../../testdata/cli/recorded-run.ts'
import { randomRuns } from '../../testdata/random-runs.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// One more than the fewest packages that have a record.
const SITES = 21

/** A fleet of small packages. `keys` is the user's folder for caches. */
interface Fleet {
  readonly root: string
  readonly out: string
  readonly keys: string
}

function makeFleet(): Fleet {
  const root = testFolder()
  const fleet = { root, out: join(root, 'fleet/out'), keys: join(root, 'cache') }
  for (const revision of [1, 2]) {
    const folder = join(root, `fleet/catalog/web@v${revision}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    writeFileSync(
      join(folder, 'deploy.yaml'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: deploy\ndata:\n  replicas: '${revision}'\n`,
    )
    writeFileSync(join(folder, 'notes.txt'), 'notes\n')
  }
  writeRepositories(fleet, SITES, 'eu')
  writeSet(fleet, 1, 'a')
  // A file that was changed right before a run may have been changed while the run read it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
  return fleet
}

function writeRepositories({ root }: Fleet, sites: number, region: string): void {
  const repositories = Array.from(
    { length: sites },
    (_, site) =>
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: site-${site}\n  namespace: fleet\n  labels: {region: ${site === 3 ? region : 'eu'}}\nspec:\n  type: git\n`,
  )
  writeFileSync(join(root, 'fleet/repositories.yaml'), repositories.join('---\n'))
}

function writeSet({ root }: Fleet, revision: number, value: string): void {
  writeFileSync(
    join(root, 'fleet/set.yaml'),
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: web
  namespace: fleet
spec:
  upstream: {repo: catalog, package: web, revision: ${revision}}
  targets:
  - repositorySelector: {matchExpressions: [{key: retired, operator: DoesNotExist}]}
    template:
      packageContext:
        data: {value: ${value}}
        dataExprs:
        - {key: region, valueExpr: "repository.labels['region']"}
`,
  )
}

/** Lets each package run a function whose option has the region as its name: only `namespace` is one. */
function addFunction({ root }: Fleet): void {
  const set = join(root, 'fleet/set.yaml')
  writeFileSync(
    set,
    `${readFileSync(set, 'utf8')}      pipeline:
        mutators:
        - name: ns
          image: set-namespace:v0.4.1
          configMapExprs:
          - {keyExpr: "repository.labels['region'] == 'bad' ? 'typo' : 'namespace'", value: shop}
`,
  )
}

function run({ root, keys }: Fleet, isRemembered: boolean, ...args: readonly string[]): Promise<RecordedRun> {
  return recordRun(join(root, 'fleet'), args, { environment: isRemembered ? { XDG_CACHE_HOME: keys } : {} })
}

function render(fleet: Fleet, isRemembered: boolean, ...options: readonly string[]): Promise<RecordedRun> {
  return run(fleet, isRemembered, 'render', '.', '--out', 'out', ...options)
}

function packagesIn({ out }: Fleet): readonly (readonly [string, string, number])[] {
  return [...(existsSync(out) ? readFolder(out) : [])].map(([path, text]) => [path, text, statSync(join(out, path)).mode])
}

/** Returns the records that are left, in the user's cache. */
function recordsOf({ keys }: Fleet): readonly string[] {
  const folder = join(keys, 'krm-variants/renders')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

function recordOf(fleet: Fleet): string {
  return recordsOf(fleet)[0] ?? ''
}

/** Returns true if the run opened no package: then it leaves the record as it was. */
async function isRepeated(fleet: Fleet): Promise<boolean> {
  const before = statSync(recordOf(fleet)).ino
  const { exitCode } = await render(fleet, true)
  expect(exitCode).toBe(0)
  return statSync(recordOf(fleet)).ino === before
}

test('a second render of an unchanged fleet opens nothing and says what it said without the record', async () => {
  const fleet = makeFleet()
  expect((await render(fleet, true)).stdout).toBe(`${SITES} packages: ${SITES} created\n`)
  expect(await isRepeated(fleet)).toBe(true)
  for (const options of [[], ['--format', 'json'], ['--dry-run'], ['--dry-run', '--format', 'markdown']])
    expect(await render(fleet, true, ...options)).toEqual(await render(fleet, false, ...options))
  expect(readdirSync(fleet.out).every((name) => name.startsWith('site-'))).toBe(true)
})

test('an upstream package that changes in its folder under the same revision is a warning until the change is taken back', async () => {
  const fleet = makeFleet()
  await render(fleet, true)
  const notes = join(fleet.root, 'fleet/catalog/web@v1/notes.txt')
  writeFileSync(notes, 'other notes\n')
  const warning = `set.yaml:7:53: warning: PackageVariant fleet/web-site-0-web: \`spec.upstream\` has another content at 'catalog/web@v1' than at the last render, and the same revision 'v1': of ${SITES} packages made from it, those made before the change keep the former content; take the change back and put it into a new revision, since an update from a changed revision loses the change [upstream-changed-in-place]\n`
  for (const options of [['--dry-run'], [], []]) expect((await render(fleet, true, ...options)).stderr).toBe(warning)
  expect((await render(fleet, false)).stderr).toBe('')
  writeFileSync(notes, 'notes\n')
  expect((await render(fleet, true)).stderr).toBe('')
})

test('a new revision of an upstream package is no change in place', async () => {
  const fleet = makeFleet()
  await render(fleet, true)
  writeSet(fleet, 2, 'a')
  expect((await render(fleet, true)).stderr).toBe('')
  writeFileSync(join(fleet.root, 'fleet/catalog/web@v1/notes.txt'), 'other notes\n')
  expect((await render(fleet, true)).stderr).toBe('')
})

test('after a run that opens one package, the record holds the others too, and an edit of one of these is found', async () => {
  const fleet = makeFleet()
  await render(fleet, true)
  writeRepositories(fleet, SITES, 'us')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
  expect((await render(fleet, true)).stdout).toBe(`${SITES} packages: 1 updated, ${SITES - 1} unchanged\n`)
  expect(await isRepeated(fleet)).toBe(true)
  const context = join(fleet.out, 'site-5/web/package-context.yaml')
  const text = readFileSync(context, 'utf8')
  writeFileSync(context, text.replace('region: eu', 'region: me'))
  expect((await render(fleet, true)).stdout).toBe(`${SITES} packages: 1 updated, ${SITES - 1} unchanged\n`)
  expect(readFileSync(context, 'utf8')).toBe(text)
})

test('a program that writes something else than in the last run changes the packages', async () => {
  const fleet = makeFleet()
  addFunction(fleet)
  replaceIn(join(fleet.root, 'fleet/set.yaml'), /set-namespace:v0.4.1/, 'example.com/f:v1')
  const renderWith = (value: string) => {
    writeFileSync(join(fleet.root, 'fleet/f.sh'), `sed 's/replicas: .*/replicas: "${value}"/'\n`)
    return render(fleet, true, '--allow-exec', '--function', 'example.com/f=sh ./f.sh')
  }
  expect((await renderWith('7')).stdout).toContain(`${SITES} packages: ${SITES} created\n`)
  expect((await renderWith('8')).stdout).toContain(`${SITES} packages: ${SITES} updated`)
  expect((await renderWith('8')).stdout).toContain(`${SITES} packages: ${SITES} unchanged\n`)
})

test('a dry run, a part of the fleet and a small fleet leave no record', async () => {
  const fleet = makeFleet()
  expect((await render(fleet, true, '--dry-run')).exitCode).toBe(2)
  expect((await render(fleet, true, '--only', 'repository=site-*')).exitCode).toBe(0)
  expect(recordsOf(fleet)).toEqual([])
  writeRepositories(fleet, 3, 'eu')
  const small = { ...fleet, out: join(fleet.root, 'fleet/out') }
  rmSync(fleet.out, { recursive: true })
  await render(small, true)
  expect(recordsOf(fleet)).toEqual([])
})

test('a dry run with the record says what it says without, and writes nothing', async () => {
  const fleet = makeFleet()
  const runs = async (...args: readonly string[]): Promise<readonly RecordedRun[]> => [
    await run(fleet, true, ...args),
    await run(fleet, false, ...args),
  ]
  const expectSame = async (counts: string): Promise<void> => {
    const before = existsSync(fleet.out) ? [statSync(recordOf(fleet)).ino, readFolder(fleet.out)] : []
    const [ours, theirs] = await runs('render', '.', '--out', 'out', '--dry-run')
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ exitCode: 2, stdout: expect.stringContaining(counts), stderr: expect.not.stringContaining('bug') })
    const [planned, forgetful] = await runs('plan', '.', '--packages', 'out', '--out', '../p.json')
    expect(planned).toEqual(forgetful)
    expect(planned).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('saved with') })
    expect(existsSync(fleet.out) ? [statSync(recordOf(fleet)).ino, readFolder(fleet.out)] : []).toEqual(before)
  }
  await expectSame(`${SITES} to create`)
  expect((await render(fleet, true)).exitCode).toBe(0)
  writeRepositories(fleet, SITES + 1, 'eu')
  await expectSame('1 to create')
  rmSync(join(fleet.out, 'site-7/web'), { recursive: true })
  await expectSame('2 to create')
  writeSet(fleet, 2, 'b')
  await expectSame(`${SITES - 1} to update, 2 to create`)
  expect((await render(fleet, true)).stdout).toBe(`${SITES + 1} packages: 2 created, ${SITES - 1} updated\n`)
})

test('with functions that fail in one package, a run and a dry run with the record do what they do without', async () => {
  const [remembering, forgetting] = [makeFleet(), makeFleet()]
  for (const fleet of [remembering, forgetting]) addFunction(fleet)
  const expectSame = async (exitCode: 0 | 1 | 2, ...options: readonly string[]): Promise<void> => {
    const [ours, theirs] = [await render(remembering, true, ...options), await render(forgetting, false, ...options)]
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ exitCode, stderr: expect.not.stringContaining('bug') })
    expect(packagesIn(remembering)).toEqual(packagesIn(forgetting))
  }
  const regions = [
    ['eu', 2, 0],
    ['bad', 1, 1],
    ['us', 2, 0],
  ] as const
  for (const [region, dry, done] of regions) {
    for (const fleet of [remembering, forgetting]) writeRepositories(fleet, SITES, region)
    await expectSame(dry, '--dry-run')
    await expectSame(dry, '--dry-run', '--fail-fast')
    await expectSame(done, '--fail-fast')
    await expectSame(done)
    await expectSame(done)
  }
})

const DAMAGED: Readonly<Record<string, (record: string) => void>> = {
  'names no package': (record) => writeFileSync(record, readFileSync(record, 'utf8').replace(/ [0-9a-f]{32}"/, '"')),
  'is cut off': (record) => writeFileSync(record, readFileSync(record).subarray(0, 100)),
  'is empty': (record) => writeFileSync(record, ''),
  'is a list': (record) => writeFileSync(record, '[]'),
  'has another form': (record) => writeFileSync(record, readFileSync(record, 'utf8').replace('"form":', '"form":1')),
}

test.each(Object.keys(DAMAGED))('a record that %s is not read, and the run is as without it', async (name) => {
  const fleet = makeFleet()
  await render(fleet, true)
  expect(await isRepeated(fleet)).toBe(true)
  DAMAGED[name]?.(recordOf(fleet))
  const { stdout, exitCode } = await render(fleet, true)
  expect({ stdout, exitCode }).toEqual({ stdout: `${SITES} packages: ${SITES} unchanged\n`, exitCode: 0 })
  expect(await isRepeated(fleet)).toBe(true)
})

test('packages with the record of the same folder elsewhere are opened', async () => {
  const [fleet, other] = [makeFleet(), makeFleet()]
  for (const each of [fleet, other]) await render(each, true)
  writeFileSync(recordOf(other), readFileSync(recordOf(fleet)))
  expect(await isRepeated(other)).toBe(false)
})

test('a file that is edited with its old length and its old time is read', async () => {
  const fleet = makeFleet()
  await render(fleet, true)
  const file = join(fleet.out, 'site-5/web/package-context.yaml')
  const { atime, mtime } = statSync(file)
  writeFileSync(file, readFileSync(file, 'utf8').replace('value: a', 'value: b'))
  utimesSync(file, atime, mtime)
  expect((await render(fleet, true)).stdout).toBe(`${SITES} packages: 1 updated, ${SITES - 1} unchanged\n`)
  expect(readFileSync(file, 'utf8')).toContain('value: a')
})

test('a file that is edited right after a render is read', async () => {
  const fleet = makeFleet()
  const file = join(fleet.out, 'site-5/web/package-context.yaml')
  for (const value of ['b', 'c', 'd']) {
    await render(fleet, true)
    writeFileSync(file, readFileSync(file, 'utf8').replace('value: a', `value: ${value}`))
    expect((await render(fleet, true)).stdout).toContain('1 updated')
  }
})

/** The changes that people make between two renders. */
const CHANGES: Readonly<Record<string, (fleet: Fleet, site: number) => void>> = {
  nothing: () => {},
  'an edit of a package': ({ out }, site) => appendTo(join(out, `site-${site}/web/deploy.yaml`), `# edited\n`),
  'an edit of what the variant sets': ({ out }, site) =>
    replaceIn(join(out, `site-${site}/web/package-context.yaml`), /value: .*/, 'value: mine'),
  'a touched file': ({ out }, site) => touch(join(out, `site-${site}/web/notes.txt`)),
  'a removed file': ({ out }, site) => rmSync(join(out, `site-${site}/web/notes.txt`), { force: true }),
  'a new file': ({ out }, site) =>
    existsSync(join(out, `site-${site}/web`)) && writeFileSync(join(out, `site-${site}/web/own.yaml`), 'a: b\n'),
  'the package context of another package': ({ out }, site) => {
    const [from, to] = [site, (site + 1) % SITES].map((each) => join(out, `site-${each}/web/package-context.yaml`))
    if (from !== undefined && to !== undefined && existsSync(from) && existsSync(to)) cpSync(from, to)
  },
  'a broken Kptfile': ({ out }, site) => appendTo(join(out, `site-${site}/web/Kptfile`), `info: {}\ninfo: {}\n`),
  'an executable file': ({ out }, site) =>
    existsSync(join(out, `site-${site}/web/notes.txt`)) && chmodSync(join(out, `site-${site}/web/notes.txt`), 0o755),
  'a removed package': ({ out }, site) => rmSync(join(out, `site-${site}`), { recursive: true, force: true }),
  'a package behind a link': ({ out, root }, site) => {
    const [from, to] = [join(out, `site-${site}`), join(root, `elsewhere-${site}`)]
    if (!existsSync(from) || existsSync(to)) return
    renameSync(from, to)
    symlinkSync(to, from)
  },
  'a removed Kptfile': ({ out }, site) => rmSync(join(out, `site-${site}/web/Kptfile`), { force: true }),
  'a copied package': ({ out }, site) =>
    existsSync(join(out, `site-${site}`)) && cpSync(join(out, `site-${site}`), join(out, 'copy'), { recursive: true }),
  'another revision': (fleet, site) => writeSet(fleet, (site % 2) + 1, 'a'),
  'another value': (fleet, site) => writeSet(fleet, 1, `v${site}`),
  'another label': (fleet, site) => writeRepositories(fleet, SITES, `r${site}`),
  'fewer targets': (fleet) => writeRepositories(fleet, SITES - 1, 'eu'),
  'a changed upstream': ({ root }, site) => appendTo(join(root, `fleet/catalog/web@v${(site % 2) + 1}/deploy.yaml`), `  more: '${site}'\n`),
}

function appendTo(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(file, `${readFileSync(file, 'utf8')}${text}`)
}

function replaceIn(file: string, pattern: RegExp, text: string): void {
  if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, text))
}

function touch(file: string): void {
  if (existsSync(file)) utimesSync(file, new Date(), new Date())
}

/** Returns a run without the warning that only the record makes possible. */
function withoutInPlace(run: RecordedRun): RecordedRun {
  const without = (text: string) => text.replace(/^.*\[upstream-changed-in-place\]\n/gm, '')
  return { ...run, stderr: without(run.stderr), both: without(run.both) }
}

const CHANGE = fc.record({ what: fc.constantFrom(...Object.keys(CHANGES)), site: fc.nat(SITES - 1) })

test('after any changes, a render with the record says and leaves what a render without it does', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(CHANGE, { maxLength: 2 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
      const [remembering, forgetting] = [makeFleet(), makeFleet()]
      for (const changes of [[], ...rounds]) {
        for (const { what, site } of changes) for (const fleet of [remembering, forgetting]) CHANGES[what]?.(fleet, site)
        const [ours, theirs] = [await render(remembering, true), await render(forgetting, false)]
        expect(withoutInPlace(ours)).toEqual(theirs)
        expect(packagesIn(remembering)).toEqual(packagesIn(forgetting))
      }
    }),
    { numRuns: randomRuns(2) },
  )
})
