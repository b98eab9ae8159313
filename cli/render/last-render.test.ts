import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFolder } from '../../e2e/folder-copy.ts'
import type { RecordedRun } from '../../testdata/cli/recorded-run.ts'
import {
  addFunction,
  filesOfPackages,
  isRepeated,
  makeFleet,
  render,
  renderRecord,
  renderRecords,
  replaceIn,
  runIn,
  SITES,
  writeRepositories,
  writeSet,
} from './testing/remembered-fleet.ts'

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

test('with --no-cache, every package is opened, since the caller asks for each call anew', async () => {
  const fleet = makeFleet()
  await render(fleet, true)
  for (let round = 0; round < 2; round++) {
    expect((await render(fleet, true, '--no-cache')).stdout).toBe(`${SITES} packages: ${SITES} unchanged\n`)
    expect(JSON.parse(readFileSync(renderRecord(fleet), 'utf8')).packages).toEqual({})
  }
})

test('a dry run, a part of the fleet and a small fleet leave no record', async () => {
  const fleet = makeFleet()
  expect((await render(fleet, true, '--dry-run')).exitCode).toBe(2)
  expect((await render(fleet, true, '--only', 'repository=site-*')).exitCode).toBe(0)
  expect(renderRecords(fleet)).toEqual([])
  writeRepositories(fleet, 3, 'eu')
  const small = { ...fleet, out: join(fleet.root, 'fleet/out') }
  rmSync(fleet.out, { recursive: true })
  await render(small, true)
  expect(renderRecords(fleet)).toEqual([])
})

test('a dry run with the record says what it says without, and writes nothing', async () => {
  const fleet = makeFleet()
  const runs = async (...args: readonly string[]): Promise<readonly RecordedRun[]> => [
    await runIn(fleet, true, ...args),
    await runIn(fleet, false, ...args),
  ]
  const expectSame = async (counts: string): Promise<void> => {
    const before = existsSync(fleet.out) ? [statSync(renderRecord(fleet)).ino, readFolder(fleet.out)] : []
    const [ours, theirs] = await runs('render', '.', '--out', 'out', '--dry-run')
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ exitCode: 2, stdout: expect.stringContaining(counts), stderr: expect.not.stringContaining('bug') })
    const [planned, forgetful] = await runs('plan', '.', '--packages', 'out', '--out', '../p.json')
    expect(planned).toEqual(forgetful)
    expect(planned).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('saved with') })
    expect(existsSync(fleet.out) ? [statSync(renderRecord(fleet)).ino, readFolder(fleet.out)] : []).toEqual(before)
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
    expect(filesOfPackages(remembering)).toEqual(filesOfPackages(forgetting))
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
  DAMAGED[name]?.(renderRecord(fleet))
  const { stdout, exitCode } = await render(fleet, true)
  expect({ stdout, exitCode }).toEqual({ stdout: `${SITES} packages: ${SITES} unchanged\n`, exitCode: 0 })
  expect(await isRepeated(fleet)).toBe(true)
})

test('packages with the record of the same folder elsewhere are opened', async () => {
  const [fleet, other] = [makeFleet(), makeFleet()]
  for (const each of [fleet, other]) await render(each, true)
  writeFileSync(renderRecord(other), readFileSync(renderRecord(fleet)))
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
