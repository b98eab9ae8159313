import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { ChangedMeanwhile, holdsText, keepsContent } from './as-read.ts'
import { isLeftover } from './staged-move.ts'
import { isOutside, nearestExisting, Staging } from './staging.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
})

function tree(): readonly string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

function put(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

const file = (path: string, text: string, mode = 0o644) => ({ path, bytes: Buffer.from(text), mode })

test('nothing is in its place before the commit, everything after it', () => {
  put('edge/upf/a.yaml', 'old\n')
  const staging = new Staging(root)
  staging.folder('edge/smf', [file('Kptfile', 'k\n'), file('bin/run.sh', '#!/bin/sh\n', 0o755)])
  staging.file(file('edge/upf/a.yaml', 'new\n'))
  staging.file(file('edge/upf/sub/b.yaml', 'b\n'))
  expect(tree().filter((path) => !isLeftover(path.split('/').find(isLeftover) ?? path))).toEqual(['edge/upf/a.yaml'])
  expect(readFileSync(join(root, 'edge/upf/a.yaml'), 'utf8')).toBe('old\n')
  staging.commit()
  expect(tree()).toEqual(['edge/smf/Kptfile', 'edge/smf/bin/run.sh', 'edge/upf/a.yaml', 'edge/upf/sub/b.yaml'])
  expect(readFileSync(join(root, 'edge/upf/a.yaml'), 'utf8')).toBe('new\n')
  expect(statSync(join(root, 'edge/smf/bin/run.sh')).mode & 0o777).toBe(0o755)
})

test('an abort leaves what was there, and no folder that was made', () => {
  put('edge/upf/a.yaml', 'old\n')
  const staging = new Staging(root)
  staging.folder('core/smf', [file('Kptfile', 'k\n')])
  staging.file(file('edge/upf/a.yaml', 'new\n'))
  staging.file(file('edge/upf/sub/b.yaml', 'b\n'))
  staging.removeFolder('edge/upf')
  staging.abort()
  expect(readdirSync(root)).toEqual(['edge'])
  expect(readdirSync(join(root, 'edge/upf'))).toEqual(['a.yaml'])
})

test('what an interrupted run left beside is written over', () => {
  put('edge/upf.krm-variants-new/junk', 'x')
  put('edge/smf/a.yaml.krm-variants-new', 'x')
  put('edge/smf/a.yaml', 'old\n')
  const staging = new Staging(root)
  staging.folder('edge/upf', [file('Kptfile', 'k\n')])
  staging.file(file('edge/smf/a.yaml', 'new\n'))
  staging.commit()
  expect(tree()).toEqual(['edge/smf/a.yaml', 'edge/upf/Kptfile'])
})

test.each(['a'.repeat(250), 'é'.repeat(125)])('a name that leaves no room for a suffix is written, replaced and removed: %s', (name) => {
  put(`old-${name}/a.yaml`, 'old\n')
  put(`edge/${name}.yaml`, 'old\n')
  const interrupted = new Staging(root)
  interrupted.file(file(`edge/${name}.yaml`, 'lost\n'))
  const staging = new Staging(root)
  staging.folder(name, [file(`${name}.yaml`, 'new\n')])
  staging.file(file(`edge/${name}.yaml`, 'new\n'))
  staging.removeFolder(`old-${name}`)
  staging.commit()
  expect(tree()).toEqual([`${name}/${name}.yaml`, `edge/${name}.yaml`].sort())
  expect(readFileSync(join(root, `edge/${name}.yaml`), 'utf8')).toBe('new\n')
})

test('an empty folder gives way to a package', () => {
  mkdirSync(join(root, 'edge/upf'), { recursive: true })
  const staging = new Staging(root)
  staging.folder('edge/upf', [file('Kptfile', 'k\n')])
  staging.commit()
  expect(tree()).toEqual(['edge/upf/Kptfile'])
})

test('folders that become empty go, up to the package or the root', () => {
  put('edge/upf/sub/deep/a.yaml', 'a')
  put('core/net/smf/Kptfile', 'k')
  put('core/other', 'o')
  const staging = new Staging(root)
  staging.removeFile('edge/upf/sub/deep/a.yaml', { within: 'edge/upf' })
  staging.removeFolder('core/net/smf')
  staging.commit()
  expect(readdirSync(join(root, 'edge'))).toEqual(['upf'])
  expect(readdirSync(join(root, 'edge/upf'))).toEqual([])
  expect(readdirSync(join(root, 'core'))).toEqual(['other'])
})

test('a folder that someone changes while it is removed is back in its place, and stays there after an abort', () => {
  put('edge/upf/a.yaml', 'old\n')
  const staging = new Staging(root)
  const asRead = keepsContent(join(root, 'edge/upf'))
  staging.removeFolder('edge/upf', (place) => {
    if (place !== undefined) writeFileSync(join(place, 'a.yaml'), 'mine\n')
    return asRead(place)
  })
  expect(() => staging.commit()).toThrow(ChangedMeanwhile)
  staging.abort()
  expect(tree()).toEqual(['edge/upf/a.yaml'])
  expect(readFileSync(join(root, 'edge/upf/a.yaml'), 'utf8')).toBe('mine\n')
})

test('nothing is changed if one of several places has changed since it was read', () => {
  put('edge/upf/a.yaml', 'old\n')
  put('edge/upf/b.yaml', 'old\n')
  const staging = new Staging(root)
  const place = join(root, 'edge/upf/b.yaml')
  staging.file(file('edge/upf/a.yaml', 'new\n'))
  staging.removeFile('edge/upf/b.yaml', { isAsRead: holdsText(place, 'old\n') })
  put('edge/upf/b.yaml', 'mine\n')
  expect(() => staging.commit()).toThrow(new ChangedMeanwhile([place], { isPartial: false }))
  staging.abort()
  expect(tree()).toEqual(['edge/upf/a.yaml', 'edge/upf/b.yaml'])
  expect(readFileSync(join(root, 'edge/upf/a.yaml'), 'utf8')).toBe('old\n')
})

test('a folder moves with the files that were staged in it', () => {
  put('edge/upf/Kptfile', 'old')
  put('edge/upf/notes.md', 'notes')
  const staging = new Staging(root)
  staging.file(file('edge/upf/Kptfile', 'new'))
  staging.moveFolder('edge/upf', 'core/net/user-plane')
  staging.commit()
  expect(tree()).toEqual(['core/net/user-plane/Kptfile', 'core/net/user-plane/notes.md'])
  expect(readFileSync(join(root, 'core/net/user-plane/Kptfile'), 'utf8')).toBe('new')
  expect(existsSync(join(root, 'edge'))).toBe(false)
})

test('no path leads out of the root', () => {
  const outside = testFolder()
  symlinkSync(outside, join(root, 'edge'))
  const staging = new Staging(root)
  expect(() => staging.file(file('../a.yaml', 'a'))).toThrow("'../a.yaml' must be inside the folder")
  expect(() => staging.folder('edge/upf', [])).toThrow("'edge/upf' must be inside the folder")
  expect(() => staging.removeFolder('edge/upf')).toThrow('must be inside')
})

test('a file keeps the permissions that it is given, a link is replaced', () => {
  put('edge/run.sh', 'old')
  chmodSync(join(root, 'edge/run.sh'), 0o700)
  symlinkSync('run.sh', join(root, 'edge/link'))
  const staging = new Staging(root)
  staging.file(file('edge/run.sh', 'new', 0o700))
  staging.file(file('edge/link', 'a file now'))
  staging.commit()
  expect(statSync(join(root, 'edge/run.sh')).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(root, 'edge/run.sh'), 'utf8')).toBe('new')
})

test.each([
  ['/a/b', '/a/b/c', false],
  ['/a/b', '/a/b', false],
  ['/a/b', '/a/bc', true],
  ['/a/b', '/a', true],
  ['/a/b', '/a/b/../c', true],
  ['/a/b', '/a/b/..c/d', false],
  ['/a/b', '/a/b/c/../d', false],
  ['/', '/a', false],
])('seen from %s the place %s is outside: %s', (folder, place, expected) => {
  expect(isOutside(folder, place)).toBe(expected)
})

test('the nearest existing folder is the folder itself, or one above', () => {
  const folder = testFolder()
  expect(nearestExisting(folder)).toBe(folder)
  expect(nearestExisting(join(folder, 'a/b/c'))).toBe(folder)
  mkdirSync(join(folder, 'a'))
  expect(nearestExisting(join(folder, 'a/b/c'))).toBe(join(folder, 'a'))
})
