import { expect, test } from 'vitest'
import { kptfile, merge } from './testing/merge-of-texts.ts'

const FUNCTIONS = (...list: string[]) => `pipeline:\n  mutators:\n${list.map((fn) => `  - ${fn}\n`).join('')}`

// kpt pkg/kptfile/kptfileutil merge.
test.each<[string, string, string, string, string]>([
  [
    'functions without names are the same by what they run',
    FUNCTIONS('image: a:1', 'image: b:1'),
    FUNCTIONS('image: a:2', 'image: b:1'),
    FUNCTIONS('image: a:1 # mine', 'image: b:1', 'image: c:1'),
    FUNCTIONS('image: a:2 # mine', 'image: b:1', 'image: c:1'),
  ],
  [
    'or by their names',
    FUNCTIONS('name: x\n    image: a:1'),
    FUNCTIONS('name: x\n    image: a:2'),
    FUNCTIONS('name: x\n    image: a:1\n    exec: e'),
    FUNCTIONS('name: x\n    image: a:2\n    exec: e'),
  ],
  [
    'with some names, the list is one value',
    FUNCTIONS('image: a:1'),
    FUNCTIONS('image: a:2'),
    FUNCTIONS('name: PackageVariant.v.f.0\n    image: f', 'image: a:1'),
    FUNCTIONS('image: a:2'),
  ],
  [
    'and with the same image twice',
    FUNCTIONS('image: a:1', 'image: a:1'),
    FUNCTIONS('image: a:2', 'image: a:1'),
    FUNCTIONS('image: a:1', 'image: a:1', 'image: c'),
    FUNCTIONS('image: a:2', 'image: a:1'),
  ],
  [
    'a deleted function comes back with its image',
    FUNCTIONS('image: a', 'image: b\n    configMap: {k: v}'),
    FUNCTIONS('image: a', 'image: b\n    configMap: {k: up}'),
    FUNCTIONS('image: a'),
    FUNCTIONS('image: a', 'image: b\n    configMap: {k: up}'),
  ],
  [
    'gates are one value',
    'info:\n  readinessGates:\n  - conditionType: a\n',
    'info:\n  readinessGates:\n  - conditionType: a\n  - conditionType: up\n',
    'info:\n  readinessGates:\n  - conditionType: a\n  - conditionType: mine\n',
    'info:\n  readinessGates:\n  - conditionType: a\n  - conditionType: up\n',
  ],
  [
    "upstream and unknown fields are the downstream's",
    'upstream: {type: git}\n',
    'upstream: {type: oci}\nmore: up\ninfo: {site: up}\n',
    'upstream: {type: mine}\nmore: mine\n',
    'upstream: {type: mine}\nmore: mine\ninfo: {site: up}\n',
  ],
])('Kptfile: %s', (_, original, upstream, downstream, merged) => {
  const result = merge({
    original: { Kptfile: kptfile('base', original) },
    upstream: { Kptfile: kptfile('new', upstream) },
    downstream: { Kptfile: kptfile('mine', downstream) },
  })
  expect(result.files).toEqual({ Kptfile: kptfile('mine', merged) })
})
