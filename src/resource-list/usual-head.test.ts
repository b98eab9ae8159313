import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { YamlDocument } from '../yaml/document.ts'
import { TEXTS } from '../yaml/read/builder.ts'
import type { ObjectFrame } from '../yaml/read/fast-reader.ts'
import { readFast } from '../yaml/read/fast-reader.ts'
import { FilePositions } from './file-positions.ts'
import { IDENTITY, identityOf } from './identity.ts'
import { readUsualHead, withUsualEntry } from './usual-head.ts'

const USUAL = `apiVersion: apps/v1
kind: Deployment
metadata: # kpt-merge: default/web
  name: web
  namespace: "default"
  creationTimestamp: null
  labels:
    app: web
    zone: 'a'
  annotations:
    team: "7"
    config.kubernetes.io/index: '0'
    internal.config.kubernetes.io/path: 'a.yaml'
    internal.config.kubernetes.io/package-path: '/home/fleet'
    config.k8s.io/id: '7'
spec:
  replicas: 3
  # a comment
  template: {}
rules:
- a: 1
`

function itemOf(document: string): string {
  return `- ${document.replaceAll(/\n(?=[^\n])/g, '\n  ')}`
}

describe('the head of an object in the layout of kpt', () => {
  test.each([
    ['an item', 'item', itemOf(USUAL)],
    ['a document', 'document', USUAL],
    ['an object without labels and annotations', 'item', '- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n  data: {}\n'],
    ['an object of only a head', 'item', '- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n'],
  ] as const)('is read without the fast reader: %s', (_, frame, text) => {
    const texts = readFast(text, TEXTS, { frame, wanted: IDENTITY })
    expect(texts && readUsualHead(text, frame)?.identity).toEqual(texts && identityOf(texts))
    expect(texts).toBeDefined()
  })

  test.each([
    ['a repeated key', `${USUAL}kind: Other\n`],
    ['a name that is null', USUAL.replace('name: web', 'name: null')],
    ['a label without a value', USUAL.replace('app: web', 'app:')],
    ['a value of two lines', USUAL.replace('app: web', 'app: web\n      two')],
    ['an anchor', USUAL.replace('app: web', 'app: &a web')],
    ['a line break of Windows', USUAL.replace('web\n', 'web\r\n')],
    ['a deeper line below a value', USUAL.replace('rules:', 'type: a\n  b: 1\nrules:')],
    ['an escape', USUAL.replace('"7"', '"\\x37"')],
  ])('is left to the fast reader: %s', (_, text) => {
    readUsualHead(USUAL, 'document')
    expect(readUsualHead(text, 'document')).toBeUndefined()
    expect(readUsualHead(itemOf(text), 'item')).toBeUndefined()
  })

  test('ends behind the metadata, if that has only the keys of an identity', () => {
    const text = USUAL.replace('  creationTimestamp: null\n', '')
    expect(readUsualHead(text, 'document')?.end).toBe(text.indexOf('spec:'))
    expect(readUsualHead(USUAL, 'document')?.end).toBe(0)
  })
})

const LINES = fc.array(
  fc.tuple(
    fc.nat(USUAL.split('\n').length),
    fc.nat(1),
    fc.constantFrom('', '  ', '    ', '      ', ' '),
    fc.constantFrom('', '- ', 'name:', 'kind:', 'metadata:', 'labels:', 'app:', 'spec:', 'x:', 'apiVersion:', '# c', '---', 'data: |'),
    fc.constantFrom(
      '',
      ' a',
      " 'b'",
      ' "c"',
      ' 1',
      ' null',
      ' ~',
      ' {}',
      ' [a]',
      ' &a b',
      ' a: b',
      ' a b',
      ' # c',
      ' >-',
      ' !!str x',
      '\t',
    ),
  ),
  { maxLength: 4 },
)

/** Objects with any lines in between or replaced, beside the frame that they have. */
const TEXT_IN_FRAME = fc.tuple(LINES, fc.boolean()).map(([changes, isItem]): readonly [string, ObjectFrame] => {
  const lines = USUAL.split('\n')
  for (const [at, removed, indent, key, value] of changes) lines.splice(at, removed, `${indent}${key}${value}`)
  return isItem ? [itemOf(lines.join('\n')), 'item'] : [lines.join('\n'), 'document']
})

function documentOf(text: string, frame: ObjectFrame): YamlDocument {
  return new YamlDocument(text, new FilePositions(frame))
}

const ENTRY = fc.tuple(
  fc.constantFrom<'labels' | 'annotations'>('labels', 'annotations'),
  fc.constantFrom('app', 'new', 'a.b/c', 'true', '<<', '', 'x: y', 'config.k8s.io/id'),
  fc.oneof(fc.constantFrom('', 'edited', 'null', '7', "it's", '# c', 'a\nb', 'a: b', ' ', '\u2028'), fc.string({ maxLength: 6 })),
)

test('a new label or annotation is written as the editor writes it, with any lines in between or replaced', () => {
  let written = 0
  fc.assert(
    fc.property(TEXT_IN_FRAME, ENTRY, ([text, frame], [part, key, value]) => {
      readUsualHead(frame === 'item' ? itemOf(USUAL) : USUAL, frame)
      const after = withUsualEntry(text, frame, part, [key, value])
      if (after === undefined) return
      written++
      const document = documentOf(text, frame)
      document.set(['metadata', part, key], value)
      expect(after).toBe(document.text)
    }),
    { numRuns: 3000 },
  )
  expect(written).toBeGreaterThan(300)
})

test('edits behind a new label or annotation have the text that they have without the pattern', () => {
  const frames = fc.constantFrom<ObjectFrame>('item', 'document')
  fc.assert(
    // No entry stands for the removal of another field.
    fc.property(frames, fc.array(fc.option(ENTRY), { minLength: 2, maxLength: 5 }), (frame, entries) => {
      const text = frame === 'item' ? itemOf(USUAL) : USUAL
      const [quick, slow] = [documentOf(text, frame), documentOf(text, frame)]
      for (const entry of entries) {
        if (entry === null) for (const document of [quick, slow]) document.delete(['spec', 'replicas'])
        else {
          const [part, key, value] = entry
          const path = ['metadata', part, key]
          quick.setBy((before) => withUsualEntry(before, frame, part, [key, value]), path, value)
          slow.set(path, value)
        }
        expect(quick.valueAt(['metadata'])).toEqual(slow.valueAt(['metadata']))
      }
      expect(quick.text).toBe(slow.text)
    }),
    { numRuns: 500 },
  )
})

test('what is read has the same meaning for the fast reader, with any lines in between or replaced', () => {
  let read = 0
  fc.assert(
    fc.property(TEXT_IN_FRAME, ([text, frame]) => {
      readUsualHead(frame === 'item' ? itemOf(USUAL) : USUAL, frame)
      const head = readUsualHead(text, frame)
      if (head === undefined) return
      read++
      const texts = readFast(text, TEXTS, { frame, wanted: IDENTITY })
      expect(head.identity).toEqual(texts && identityOf(texts))
    }),
    { numRuns: 3000 },
  )
  expect(read).toBeGreaterThan(300)
})
