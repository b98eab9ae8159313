import { expect, test } from 'vitest'
import { decodeTemplate } from './template.ts'

test('a template without fields has empty lists and maps, and neither policies nor parts', () => {
  expect(decodeTemplate({}, ['t'])).toEqual({
    path: ['t'],
    downstream: {},
    labels: new Map(),
    labelExprs: [],
    annotations: new Map(),
    annotationExprs: [],
    injectors: [],
  })
})

test('empty texts of downstream count as missing (docs/porch.md 16)', () => {
  const { downstream } = decodeTemplate({ downstream: { repo: '', repoExpr: '', package: '', packageExpr: '' } }, [])
  expect(downstream).toEqual({})
})

test('the repository and the package of downstream are fixed or computed', () => {
  const fixed = decodeTemplate({ downstream: { repo: 'a', repoExpr: '', package: 'b' } }, ['t'])
  expect(fixed.downstream).toEqual({
    repo: { value: 'a', path: ['t', 'downstream', 'repo'] },
    package: { value: 'b', path: ['t', 'downstream', 'package'] },
  })
  const computed = decodeTemplate({ downstream: { repo: '', repoExpr: 'a', packageExpr: 'b' } }, ['t'])
  expect(computed.downstream).toEqual({
    repo: { expression: { text: 'a', path: ['t', 'downstream', 'repoExpr'] } },
    package: { expression: { text: 'b', path: ['t', 'downstream', 'packageExpr'] } },
  })
})

test('an entry without a value has the empty text, and an empty expression stays an expression', () => {
  const { labelExprs, annotationExprs } = decodeTemplate({ labelExprs: [{ key: 'a' }], annotationExprs: { keyExpr: '', value: '' } }, [])
  expect(labelExprs).toEqual([
    { key: { value: 'a', path: ['labelExprs', 0, 'key'] }, value: { value: '', path: ['labelExprs', 0, 'value'] } },
  ])
  expect(annotationExprs).toEqual([
    {
      key: { expression: { text: '', path: ['annotationExprs', 'keyExpr'] } },
      value: { value: '', path: ['annotationExprs', 'value'] },
    },
  ])
})

test('the policies are those of the template', () => {
  const decoded = decodeTemplate({ adoptionPolicy: 'adoptNone', deletionPolicy: 'delete' }, [])
  expect([decoded.adoptionPolicy, decoded.deletionPolicy]).toEqual(['adoptNone', 'delete'])
})

test('a package context without fields is empty', () => {
  expect(decodeTemplate({ packageContext: {} }, []).packageContext).toEqual({
    data: new Map(),
    dataExprs: [],
    removeKeys: [],
    removeKeyExprs: [],
  })
})

test('each computed key to remove has its path', () => {
  const { packageContext } = decodeTemplate({ packageContext: { removeKeys: ['a'], removeKeyExprs: ['b', 'c'] } }, ['t'])
  expect(packageContext?.removeKeys).toEqual(['a'])
  expect(packageContext?.removeKeyExprs).toEqual([
    { text: 'b', path: ['t', 'packageContext', 'removeKeyExprs', 0] },
    { text: 'c', path: ['t', 'packageContext', 'removeKeyExprs', 1] },
  ])
})

test('injectors come before injectorExprs, each with its fields', () => {
  const { injectors } = decodeTemplate(
    { injectorExprs: [{ nameExpr: 'a' }], injectors: [{ group: '', kind: 'A', name: 'b', point: 'c' }] },
    [],
  )
  expect(injectors).toEqual([
    { group: '', kind: 'A', name: { value: 'b', path: ['injectors', 0, 'name'] }, point: 'c', path: ['injectors', 0] },
    { name: { expression: { text: 'a', path: ['injectorExprs', 0, 'nameExpr'] } }, path: ['injectorExprs', 0] },
  ])
})

test('validators and mutators of the pipeline stay apart, and a function keeps its fields beside its config map', () => {
  const { pipeline } = decodeTemplate(
    { pipeline: { validators: [{ image: 'a' }], mutators: [{ image: 'b', tag: 'c', configMap: { d: 'e' }, configMapExprs: [] }] } },
    ['t'],
  )
  expect(pipeline).toEqual({
    validators: [{ path: ['t', 'pipeline', 'validators', 0], written: { image: 'a' }, configMap: new Map(), configMapExprs: [] }],
    mutators: [
      { path: ['t', 'pipeline', 'mutators', 0], written: { image: 'b', tag: 'c' }, configMap: new Map([['d', 'e']]), configMapExprs: [] },
    ],
  })
})

test('a pipeline without lists has no functions', () => {
  expect(decodeTemplate({ pipeline: {} }, []).pipeline).toEqual({ validators: [], mutators: [] })
})
