import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { listPathFaults } from './list-paths.ts'

const item = (annotations: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:${annotations}`

/** Returns the messages about an item; with and without the text of the whole list these must be the same. */
function faultsOf(annotations: string): readonly string[] {
  const text = item(annotations)
  const objects = [KrmObject.fromDocument(text)]
  const messages = listPathFaults(objects).map(({ message }) => message)
  expect(listPathFaults(objects, text).map(({ message }) => message)).toEqual(messages)
  return messages
}

const KEY = 'internal.config.kubernetes.io/path'
const OLD_KEY = 'config.kubernetes.io/path'

test.each([
  ['as this family writes it', `\n    ${KEY}: PATH\n`],
  ['under the old key', `\n    ${OLD_KEY}: PATH\n`],
  ['as kpt writes it', `\n    ${KEY}: 'PATH'\n`],
  ['in double quotes', `\n    ${KEY}: "PATH"\n`],
  ['under a key in quotes', `\n    '${KEY}': 'PATH'\n`],
  ['under a key in double quotes', `\n    "${KEY}": PATH\n`],
  ['in braces', ` {${KEY}: PATH}\n`],
  ['in braces and quotes', ` {${KEY}: 'PATH', a: b}\n`],
  ['with more blanks', `\n    ${KEY}:   PATH  \n`],
  ['with a comment', `\n    ${KEY}: PATH # note\n`],
  ['behind another annotation with such an end', `\n    example.com/path: a\n    ${KEY}: PATH\n`],
  ['as a block', `\n    ${KEY}: >-\n      PATH\n`],
  ['in the line below', `\n    ${KEY}:\n      PATH\n`],
  ['with an anchor', `\n    ${KEY}: &p PATH\n`],
  ['at the end of a text', `\n    ${KEY}: PATH`],
])('an unsafe path is reported %s, and a safe one is not', (_what, annotations) => {
  const faults = (path: string) => faultsOf(annotations.replace('PATH', path))
  for (const unsafe of ['../a.yaml', '/etc/passwd', 'a/../b', '.git/config', 'a/.git/hooks', 'a.krm-variants-new'])
    expect(faults(unsafe)).toEqual([expect.stringContaining(`got '${unsafe}'`)])
  for (const safe of ['a.yaml', 'sub/a.yaml', 'a.b/c.d.yaml', '.github/a.yaml', 'a.key', 'a.kyaml', 'a+b=c@d,e-f_g.yaml'])
    expect(faults(safe)).toEqual([])
})

test.each([
  ['an escape', `\n    "${KEY}": "\\u002e./a.yaml"\n`, '../a.yaml'],
  ['an escape in the key', `\n    "internal.config.kubernetes.io\\u002fpath": ../a.yaml\n`, '../a.yaml'],
  ['a second line', `\n    ${KEY}: a\n      /../../b\n`, 'a /../../b'],
  ['an empty line and one more', `\n    ${KEY}: a\n\n      /../b\n`, '/../b'],
  ['a second line in quotes', `\n    ${KEY}: 'a\n      /../b'\n`, 'a /../b'],
])('an unsafe path that is hidden by %s is reported', (_what, annotations, path) => {
  expect(faultsOf(annotations)).toEqual([expect.stringContaining(path)])
})

test('an item has one fault, and paths under other keys are no paths of files', () => {
  expect(faultsOf(`\n    ${KEY}: ../a.yaml\n    ${OLD_KEY}: ../a.yaml\n`)).toHaveLength(1)
  expect(faultsOf(`\n    ${KEY}: a.yaml\n    ${OLD_KEY}: ../a.yaml\n`)).toHaveLength(1)
  expect(faultsOf('\n    example.com/path: ../a.yaml\n')).toEqual([])
  expect(faultsOf(`\n    ${KEY}: 5\n`)).toEqual([])
})

test('of many faults a hundred are reported, and the number of the others', () => {
  const many = (count: number) => Array.from({ length: count }, () => KrmObject.fromDocument(item(`\n    ${KEY}: ../a.yaml\n`)))
  expect(listPathFaults(many(100))).toHaveLength(100)
  const faults = listPathFaults(many(102))
  expect(faults).toHaveLength(101)
  expect(faults.at(-1)?.message).toBe('and 2 more paths that must not be used')
})

test('the result of an unsafe path names no file, which a reader might open', () => {
  const [fault] = listPathFaults([KrmObject.fromDocument(item(`\n    ${KEY}: ../a.yaml\n`), { path: '../a.yaml', index: 0, line: 1 })])
  expect(fault).not.toHaveProperty('file')
  expect(fault?.field).toMatchObject({ path: ['metadata', 'annotations', KEY] })
})
