import { expect, test } from 'vitest'
import { EMPTY_FOLDER, fileInMemory } from '../../folder/whole-folder.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { textOfFolder } from './edited-setters.ts'
import { moveOf } from './moved-objects.ts'

const PLACE = 'clusters/edge/web'
const WEB = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n'
const LABELS = 'pipeline: {mutators: [{image: set-labels:v0.2, configMap: {a: b}}]}\n'
const kptfile = (pipeline = '') => `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n${pipeline}`

/** Returns the line of the move of an object from one path to another, in a package with some Kptfiles. */
function moved(from: string, to: string, kptfiles: Readonly<Record<string, string>>): string | undefined {
  const textOf = (path: string) => {
    const texts = Object.entries({ Kptfile: kptfile(LABELS), ...kptfiles, [path]: WEB })
    const files = new Map(texts.map(([name, text]) => [name, fileInMemory(Buffer.from(text), 0o644)]))
    return textOfFolder({ ...EMPTY_FOLDER, files }, PLACE)
  }
  const objectAt = (path: string) => KrmObject.fromDocument(WEB, { path: `${PLACE}/${path}`, index: 0, line: 1 })
  const found = moveOf({ before: objectAt(from), after: objectAt(to) }, { before: textOf(from), after: textOf(to), place: PLACE })
  return found && `${found.text} ${found.file}:${found.line}`
}

test.each([
  ['to a subpackage with functions', 'a/w.yaml', 'b/w.yaml', { 'a/Kptfile': kptfile(), 'b/Kptfile': kptfile(LABELS) }],
  ['from a subpackage with functions', 'a/w.yaml', 'b/w.yaml', { 'a/Kptfile': kptfile(LABELS), 'b/Kptfile': kptfile() }],
  ['from the package to such a subpackage', 'w.yaml', 'b/deep/w.yaml', { 'b/Kptfile': kptfile(LABELS) }],
])('an object that moved %s has both paths, and the line where it is', (_, from, to, kptfiles) => {
  expect(moved(from, to, kptfiles)).toBe(`${from} → ${to} ${PLACE}/${to}:1`)
})

test.each([
  ['stays', 'a/w.yaml', 'a/w.yaml', { 'a/Kptfile': kptfile(LABELS) }],
  ['has another file of its subpackage', 'a/w.yaml', 'a/deep/w.yaml', { 'a/Kptfile': kptfile(LABELS) }],
  ['moved between subpackages without functions', 'a/w.yaml', 'b/w.yaml', { 'a/Kptfile': kptfile(), 'b/Kptfile': kptfile() }],
])('an object that %s did not get its changes by a move', (_, from, to, kptfiles) => {
  expect(moved(from, to, kptfiles)).toBeUndefined()
})
