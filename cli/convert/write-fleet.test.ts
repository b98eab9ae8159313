import fs, { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { RECORD } from '../../src/convert/fleet-texts.ts'
import { ChangedMeanwhile } from '../../src/folder/as-read.ts'
import { diskFolder } from '../../src/folder/whole-folder.ts'
import { recordingHost } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import {
  bringFleet,
  copyFleet,
  filesBelow,
  newWorkFolder,
  readFleetPlace,
  readRecord,
  recordedPaths,
  writeBaseRevision,
} from './write-fleet.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
})

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Brings the folder `work` to the folder `fleet`. */
function bring(isConverted: boolean, before: Readonly<Record<string, string>> = {}): number {
  const bytes = Object.entries(before).map(([path, text]) => [path, { bytes: Buffer.from(text), mode: 0o644 }] as const)
  return bringFleet(join(root, 'work'), { place: join(root, 'fleet'), isConverted, before: new Map(bytes) })
}

/** Calls `onRename` with the path in the fleet before each file or folder is brought there. */
function withRenames(onRename: (to: string) => void, act: () => void): void {
  const rename = fs.renameSync
  fs.renameSync = (from, to) => {
    onRename(String(to).slice(join(root, 'fleet/').length))
    rename(from, to)
  }
  syncBuiltinESMExports()
  try {
    act()
  } finally {
    fs.renameSync = rename
    syncBuiltinESMExports()
  }
}

const fleetTexts = () =>
  Object.fromEntries(filesBelow(join(root, 'fleet')).map((path) => [path, readFileSync(join(root, 'fleet', path), 'utf8')]))

test('a file that someone changed while the command ran is left as it is', () => {
  write('fleet/values.yaml', 'by: hand\n')
  write('work/values.yaml', 'by: convert\n')
  expect(() => bring(true, { 'values.yaml': 'by: before\n' })).toThrow(ChangedMeanwhile)
  expect(fleetTexts()).toEqual({ 'values.yaml': 'by: hand\n' })
})

test('a folder that someone made while the command ran is left as it is', () => {
  write('fleet/notes.md', 'ours\n')
  write('work/values.yaml', 'by: convert\n')
  expect(() => bring(false)).toThrow(ChangedMeanwhile)
  expect(readdirSync(join(root, 'fleet'))).toEqual(['notes.md'])
})

test('a fleet that someone removed while the command ran is not made again', () => {
  write('work/values.yaml', 'by: convert\n')
  expect(() => bring(true, { 'values.yaml': 'by: before\n' })).toThrow(ChangedMeanwhile)
  expect(readdirSync(root)).toEqual(['work'])
})

test('a fleet becomes a folder that is new or empty, with all its files counted', () => {
  write('work/values.yaml', 'a: 1\n')
  write('work/fleet/app.yaml', 'b: 1\n')
  expect(bring(false)).toBe(2)
  expect(fleetTexts()).toEqual({ 'values.yaml': 'a: 1\n', 'fleet/app.yaml': 'b: 1\n' })
  write('work/values.yaml', 'a: 2\n')
  mkdirSync(join(root, 'empty'))
  expect(bringFleet(join(root, 'work'), { place: join(root, 'empty'), isConverted: false, before: new Map() })).toBe(1)
  expect(readdirSync(join(root, 'empty'))).toEqual(['values.yaml'])
})

test('of a converted fleet the new, changed and removed files are written and counted, and no others', () => {
  const before = { 'same.yaml': 'a: 1\n', 'changed.yaml': 'b: 1\n', 'gone.yaml': 'c: 1\n' }
  for (const [path, text] of Object.entries(before)) write(`fleet/${path}`, text)
  for (const [path, text] of [['same.yaml', 'a: 1\n'] as const, ['changed.yaml', 'b: 2\n'] as const, ['new.yaml', 'd: 1\n'] as const])
    write(`work/${path}`, text)
  expect(bring(true, before)).toBe(3)
  expect(fleetTexts()).toEqual({ 'same.yaml': 'a: 1\n', 'changed.yaml': 'b: 2\n', 'new.yaml': 'd: 1\n' })
})

test('a new revision comes as a whole, before its matrix and the record', () => {
  const before = { 'fleet/app.yaml': 'revision: 1\n', [RECORD]: 'a: 1\n', 'catalog/app@v1/a.yaml': 'a: 1\n' }
  for (const [path, text] of Object.entries(before)) write(`fleet/${path}`, text)
  const after = {
    'fleet/app.yaml': 'revision: 2\n',
    [RECORD]: 'a: 2\n',
    'catalog/app@v2/a.yaml': 'a: 2\n',
    'catalog/app@v2/b/c.yaml': 'c: 2\n',
  }
  for (const [path, text] of Object.entries({ ...before, ...after })) write(`work/${path}`, text)
  const places: string[] = []
  withRenames(
    (to) => places.push(to),
    () => expect(bring(true, before)).toBe(4),
  )
  expect(places).toEqual(['catalog/app@v2', 'fleet/app.yaml', RECORD])
  expect(fleetTexts()).toEqual({ ...before, ...after })
})

test('a revision that is new is taken back when someone changed its matrix while the command ran', () => {
  write('fleet/fleet/app.yaml', 'by: hand\n')
  write('work/fleet/app.yaml', 'revision: 2\n')
  write('work/catalog/app@v2/a.yaml', 'a: 2\n')
  expect(() => bring(true, { 'fleet/app.yaml': 'revision: 1\n' })).toThrow(ChangedMeanwhile)
  expect(fleetTexts()).toEqual({ 'fleet/app.yaml': 'by: hand\n' })
})

test('a new file that someone else wrote while the command ran stays, and nothing else is written', () => {
  write('fleet/catalog/app@v2/a.yaml', 'by: hand\n')
  write('fleet/fleet/app.yaml', 'revision: 1\n')
  write('work/catalog/app@v2/a.yaml', 'a: 2\n')
  write('work/fleet/app.yaml', 'revision: 2\n')
  expect(() => bring(true, { 'fleet/app.yaml': 'revision: 1\n' })).toThrow(ChangedMeanwhile)
  expect(fleetTexts()).toEqual({ 'catalog/app@v2/a.yaml': 'by: hand\n', 'fleet/app.yaml': 'revision: 1\n' })
})

test('a revision that is new is taken back when someone else writes another new file while it is brought', () => {
  const before = { 'fleet/app.yaml': 'revision: 1\n', 'catalog/app@v1/a.yaml': 'a: 1\n' }
  for (const [path, text] of Object.entries(before)) write(`fleet/${path}`, text)
  const after = { 'fleet/app.yaml': 'revision: 2\n', 'fleet/new.yaml': 'by: convert\n', 'catalog/app@v2/a.yaml': 'a: 2\n' }
  for (const [path, text] of Object.entries({ ...before, ...after })) write(`work/${path}`, text)
  withRenames(
    (to) => to === 'catalog/app@v2' && write('fleet/fleet/new.yaml', 'by: hand\n'),
    () => expect(() => bring(true, before)).toThrow(expect.objectContaining({ isPartial: false })),
  )
  expect(fleetTexts()).toEqual({ ...before, 'fleet/new.yaml': 'by: hand\n' })
})

test('what an interrupted run left in a fleet is no file of it, and goes', () => {
  write('fleet/values.yaml', 'a: 1\n')
  const left = '6b1f5a52-6f0c-4b2f-9d0e-0c8f3a3f7a11.krm-variants-new'
  write(`fleet/catalog/web@v2/Kptfile.${left}`, 'a: 1\n')
  write(`fleet/clusters/edge/web.${left}/Kptfile`, 'a: 1\n')
  write('work/values.yaml', 'a: 2\n')
  expect(Object.keys(fleetTexts())).toEqual(['values.yaml'])
  expect(bring(true, { 'values.yaml': 'a: 1\n' })).toBe(1)
  const names = readdirSync(join(root, 'fleet'), { recursive: true }).map(String)
  expect(names.filter((name) => name.includes(left))).toEqual([])
})

test.each([
  ['stays', {}],
  ['would be written', { 'fleet/app.yaml': 'revision: 1\n' }],
])('a run that is refused leaves the temporary file of a matrix that %s, a trace for the next run', (_, own) => {
  const left = 'app.yaml.6b1f5a52-6f0c-4b2f-9d0e-0c8f3a3f7a11.krm-variants-new'
  write(`fleet/fleet/${left}`, 'revision: 2\n')
  for (const [path, text] of Object.entries(own)) {
    write(`fleet/${path}`, text)
    write(`work/${path}`, 'revision: 2\n')
  }
  write('fleet/values.yaml', 'by: hand\n')
  write('work/values.yaml', 'a: 2\n')
  expect(() => bring(true, { 'values.yaml': 'a: 1\n', ...own })).toThrow(ChangedMeanwhile)
  expect(readdirSync(join(root, 'fleet/fleet')).filter((name) => name !== 'app.yaml')).toEqual([left])
})

test('a working folder is new, and those of interrupted runs of the same fleet go', () => {
  const uuid = '6b1f5a52-6f0c-4b2f-9d0e-0c8f3a3f7a11'
  for (const name of [`.fleet.${uuid}`, `.other.${uuid}`, '.fleet.old', '.fleet']) write(`${name}/values.yaml`, 'a: 1\n')
  expect(newWorkFolder({ place: join(root, 'fleet') })).toMatch(/\/\.fleet\.[0-9a-f-]{36}$/)
  expect(readdirSync(root).sort()).toEqual(['.fleet', '.fleet.old', `.other.${uuid}`])
})

test('the files below a folder are all but those of Git and of node, and each link is given away', () => {
  for (const path of ['a.yaml', 'b/c.yaml', '.git/config', 'b/node_modules/x.js']) write(path, '')
  symlinkSync('a.yaml', join(root, 'b/link'))
  const links: string[] = []
  expect(filesBelow(root, (path) => links.push(path))).toEqual(['a.yaml', 'b/c.yaml'])
  expect(links).toEqual(['b/link'])
})

test('the record of a conversion names paths that have spaces, and a folder without it has an empty record', () => {
  expect(readRecord(root)).toEqual({})
  write(RECORD, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: r}\ndata:\n  overlays: |\n    prod envs/the prod\n    qa qa\n')
  expect([...recordedPaths(readRecord(root), 'overlays')]).toEqual([
    ['envs/the prod', 'prod'],
    ['qa', 'qa'],
  ])
  expect(recordedPaths(readRecord(root), 'bases').size).toBe(0)
})

/** Returns the executable files of the fleet. */
const executables = () => filesBelow(join(root, 'fleet')).filter((path) => (statSync(join(root, 'fleet', path)).mode & 0o111) !== 0)

test('executable bits and bytes that are no text go through a conversion, into the next revision of a base too', () => {
  const bytes = Buffer.from([0xff, 0x00, 0x80])
  write(`fleet/${RECORD}`, 'kind: ConfigMap\n')
  write('fleet/catalog/app@v1/run.sh', 'echo\n')
  write('fleet/catalog/app@v1/notes.txt', 'x\n')
  write('fleet/left.sh', 'echo\n')
  for (const path of ['catalog/app@v1/run.sh', 'left.sh']) chmodSync(join(root, 'fleet', path), 0o755)
  writeFileSync(join(root, 'fleet/catalog/app@v1/logo.png'), bytes)
  mkdirSync(join(root, 'tree'))
  const { host } = recordingHost(root)
  const fleet = readFleetPlace('tree', 'fleet', 'kustomize', host)
  copyFleet(fleet, join(root, 'work'))
  const files = new Map<string, string | Uint8Array>([
    ['run.sh', 'echo\n'],
    ['notes.txt', 'x\n'],
    ['logo.png', bytes],
  ])
  writeBaseRevision(join(root, 'work'), 'catalog/app@v2', files, diskFolder(join(root, 'fleet/catalog/app@v1')))
  chmodSync(join(root, 'work/catalog/app@v1/notes.txt'), 0o755)
  writeFileSync(join(root, 'work/catalog/app@v1/logo.png'), 'now a text\n')
  write('work/left.sh', 'echo again\n')
  expect(bringFleet(join(root, 'work'), fleet)).toBe(6)
  expect(readFileSync(join(root, 'fleet/catalog/app@v2/logo.png'))).toEqual(bytes)
  expect([fleetTexts()['catalog/app@v1/logo.png'], fleetTexts()['left.sh']]).toEqual(['now a text\n', 'echo again\n'])
  expect(executables()).toEqual(['catalog/app@v1/notes.txt', 'catalog/app@v1/run.sh', 'catalog/app@v2/run.sh', 'left.sh'])
})

test('a script that its owner must not write is writable in the working folder, and keeps its permissions in the fleet', () => {
  write(`fleet/${RECORD}`, 'kind: ConfigMap\n')
  write('fleet/run.sh', 'echo\n')
  chmodSync(join(root, 'fleet/run.sh'), 0o555)
  mkdirSync(join(root, 'tree'))
  const fleet = readFleetPlace('tree', 'fleet', 'kustomize', recordingHost(root).host)
  copyFleet(fleet, join(root, 'work'))
  const modeIn = (folder: string) => statSync(join(root, folder, 'run.sh')).mode & 0o777
  expect(modeIn('work')).toBe(0o755)
  write('work/run.sh', 'echo again\n')
  expect(bringFleet(join(root, 'work'), fleet)).toBe(1)
  expect([fleetTexts()['run.sh'], modeIn('fleet')]).toEqual(['echo again\n', 0o555])
})
