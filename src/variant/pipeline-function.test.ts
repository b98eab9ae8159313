import { expect, test } from 'vitest'
import type { PipelineFunction } from '../kinds/pipeline-schema.ts'
import { configFile, configFiles, functionFaults, ownedFunction } from './pipeline-function.ts'

test('a function is written with its owned name and in the order of the fields of Porch, also in its selectors', () => {
  const selector = { annotations: { b: 'c' }, labels: { a: 'b' }, kind: 'K', apiVersion: 'v1', namespace: 'n', name: 's' }
  const fn: PipelineFunction = {
    when: 'true',
    selectors: [selector],
    exclude: [selector],
    tag: 'v1',
    configRef: { kind: 'K', name: 'a' },
    configMap: { a: 'b' },
    configPath: 'c.yaml',
    exec: 'e',
    image: 'i',
    name: 'fn',
  }
  const written = ownedFunction(fn, 'own', 3)
  expect(Object.keys(written)).toEqual([
    'name',
    'image',
    'exec',
    'configPath',
    'configMap',
    'configRef',
    'tag',
    'exclude',
    'selectors',
    'when',
  ])
  expect(written).toEqual({ ...fn, name: 'PackageVariant.own.fn.3' })
  for (const list of [written.exclude, written.selectors])
    expect(JSON.stringify(list)).toBe(
      '[{"name":"s","namespace":"n","apiVersion":"v1","kind":"K","labels":{"a":"b"},"annotations":{"b":"c"}}]',
    )
})

test('fields that are empty are left out, and a function without a name has an empty one in its owned name', () => {
  const empty: PipelineFunction = { image: 'i', exec: '', configPath: '', configMap: {}, selectors: [], exclude: [{ kind: 'K', name: '' }] }
  expect(ownedFunction(empty, 'own', 0)).toEqual({ name: 'PackageVariant.own..0', image: 'i', exclude: [{ kind: 'K' }] })
})

test.each<{ rule: string; fn: PipelineFunction; faults: readonly string[] }>([
  { rule: 'an image alone is fine', fn: { image: 'i' }, faults: [] },
  { rule: 'an exec alone is fine', fn: { exec: 'e' }, faults: [] },
  { rule: 'a function has an image or an exec', fn: { name: 'a' }, faults: ["p: must have 'image' or 'exec' (function-program)"] },
  { rule: 'an empty image is none', fn: { image: '', exec: '' }, faults: ["p: must have 'image' or 'exec' (function-program)"] },
  { rule: 'a configPath names a file of the package', fn: { image: 'i', configPath: 'd/setters.yaml' }, faults: [] },
  { rule: 'a configPath is read in its shortest form', fn: { image: 'i', configPath: './d/../d/setters.yaml' }, faults: [] },
  {
    rule: 'a configPath that is no file of the package is refused with the nearest file',
    fn: { image: 'i', configPath: 'd/setter.yaml' },
    faults: ["p.configPath: must be a file of the package, got 'd/setter.yaml'; did you mean 'd/setters.yaml'? (function-config-path)"],
  },
  {
    rule: 'an absolute configPath is no file of the package',
    fn: { image: 'i', configPath: '/q/r' },
    faults: ["p.configPath: must be a file of the package, got '/q/r' (function-config-path)"],
  },
  { rule: 'an empty configMap beside a configPath is none', fn: { image: 'i', configPath: 'd/setters.yaml', configMap: {} }, faults: [] },
  { rule: 'a configMap beside an empty configPath is fine', fn: { image: 'i', configPath: '', configMap: { a: 'b' } }, faults: [] },
  {
    rule: 'a configPath excludes a configMap',
    fn: { image: 'i', configPath: 'd/setters.yaml', configMap: { a: 'b' } },
    faults: ["p.configPath: must not be set beside 'configMap': kpt takes one functionConfig (function-configs)"],
  },
  { rule: 'a configRef alone is fine', fn: { image: 'i', configRef: { kind: 'K', name: 'a' }, configMap: {}, configPath: '' }, faults: [] },
  {
    rule: 'a configRef excludes a configMap',
    fn: { image: 'i', configRef: { kind: 'K', name: 'a' }, configMap: { a: 'b' } },
    faults: ["p.configRef: must not be set beside 'configPath' or 'configMap': kpt takes one functionConfig (function-configs)"],
  },
  {
    rule: 'a configRef excludes a configPath',
    fn: { image: 'i', configRef: { kind: 'K', name: 'a' }, configPath: 'd/setters.yaml' },
    faults: ["p.configRef: must not be set beside 'configPath' or 'configMap': kpt takes one functionConfig (function-configs)"],
  },
])('$rule', ({ fn, faults }) => {
  const found = functionFaults(
    fn,
    ['p'],
    configFiles(() => ['Kptfile', 'd/setters.yaml']),
  )
  expect(found.map(({ path, message, rule }) => `${path.join('.')}: ${message} (${rule})`)).toEqual(faults)
  expect(found.every(({ severity }) => severity === 'error')).toBe(true)
})

test('the files of a package are listed once, and only for a function that refers to one', () => {
  let lists = 0
  const files = configFiles(() => {
    lists++
    return ['a.yaml']
  })
  functionFaults({ image: 'i' }, [], files)
  expect(lists).toBe(0)
  expect([files.has('a.yaml'), files.has('b.yaml'), files.nearest('aa.yaml')]).toEqual([true, false, 'a.yaml'])
  expect(lists).toBe(1)
})

test.each([
  ['./d/../setters.yaml', 'setters.yaml'],
  ['d//a.yaml', 'd/a.yaml'],
  ['/d/../a.yaml', '/d/../a.yaml'],
])('the configPath %s names the file %s', (configPath, file) => {
  expect(configFile(configPath)).toBe(file)
})
