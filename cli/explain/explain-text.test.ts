import { expect, test } from 'vitest'
import { stylesFor } from '../print/styles.ts'
import { explainedObjectText } from './explain-text.ts'
import type { ExplainedValue } from './object-explanation.ts'

const PLAIN = stylesFor({ isTerminal: false, environment: {} }, {})

function textOf(...fields: readonly ExplainedValue[]): string {
  const rendered = { kind: 'ConfigMap', namespace: 'shop', name: 'web', place: 'out/a.yaml:1' }
  return explainedObjectText({ rendered, package: 'edge/a', cluster: 'edge', variant: 'fleet/a', reason: 'all of them', fields }, PLAIN)
}

test('an object without a value of its own says that every field is that of the upstream package', () => {
  expect(textOf()).toBe(`ConfigMap shop/web  out/a.yaml:1
  package  edge/a
  cluster  edge
  variant  fleet/a
  because  all of them

  every field is as the upstream package has it
`)
})

test('a value is printed with the edit, the function and the field of the upstream package that give it', () => {
  const value: ExplainedValue = {
    path: 'data.a',
    value: 'mine',
    edit: { place: 'out/a.yaml:5', rendered: 'two' },
    variant: [],
    functions: [{ name: 'set-labels', path: 'pipeline.mutators[0]', place: 'catalog/web/Kptfile:6' }],
    upstream: { package: 'catalog/web@v1', value: 'one', place: 'catalog/web/a.yaml:5' },
  }
  expect(textOf(value)).toContain(`
  data.a: mine
      edited in the package; rendered, it is two  out/a.yaml:5
      function set-labels of the upstream package, pipeline.mutators[0]  catalog/web/Kptfile:6
      upstream catalog/web@v1 has one  catalog/web/a.yaml:5
`)
})

test('a value that only the package has is printed as one that is not there without the edit', () => {
  const text = textOf({ path: 'data.a', value: 'mine', edit: { place: 'out/a.yaml:5' }, variant: [], functions: [] })
  expect(text).toContain('\n      edited in the package; rendered, it is not there  out/a.yaml:5\n')
})

test('an edit of two setters is printed with the line of each, and a hidden value by no text', () => {
  const setters = [{ path: 'data.size', place: 'out/s.yaml:5' }, { path: 'data.count' }]
  const text = textOf({ path: 'data.a', edit: { setters }, variant: [], functions: [], upstream: { package: 'catalog/web@v1' } })
  expect(text).toContain(`
  data.a: (not shown)
      edited in the package by its setter data.size  out/s.yaml:5
      edited in the package by its setter data.count
      upstream catalog/web@v1 does not have the field
`)
})
