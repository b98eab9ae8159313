import { expect, test } from 'vitest'
import { kptfileText } from '../../testdata/written-objects.ts'
import { mergeTexts } from './testing/merge-of-texts.ts'

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
    'a function of which one side removed the image and the other the name is gone: no empty entry stays',
    FUNCTIONS('image: a:1\n    name: x', 'image: b:1'),
    FUNCTIONS('image: a:1', 'image: b:2'),
    FUNCTIONS('name: x', 'image: b:1'),
    FUNCTIONS('image: b:2'),
  ],
  [
    'or by their names',
    FUNCTIONS('name: x\n    image: a:1'),
    FUNCTIONS('name: x\n    image: a:2'),
    FUNCTIONS('name: x\n    image: a:1\n    exec: e'),
    FUNCTIONS('name: x\n    image: a:2\n    exec: e'),
  ],
  [
    'a function that people put first, with a name, stays first, with its comment',
    FUNCTIONS('image: gcr.io/kpt-fn/set-annotations:v0.1'),
    FUNCTIONS('image: gcr.io/kpt-fn/set-annotations:v0.2'),
    FUNCTIONS('image: ghcr.io/x/set-labels:v0.2 # ours\n    name: our-labels', 'image: gcr.io/kpt-fn/set-annotations:v0.1 # theirs'),
    FUNCTIONS('image: ghcr.io/x/set-labels:v0.2 # ours\n    name: our-labels', 'image: gcr.io/kpt-fn/set-annotations:v0.2 # theirs'),
  ],
  [
    'comments move with functions without names, where upstream changes order and versions',
    FUNCTIONS('image: a:1', 'image: b:1'),
    FUNCTIONS('image: b:2', 'image: new:1', 'image: a:2'),
    FUNCTIONS('image: a:1 # a', 'image: mine:1 # mine', 'image: b:1 # b'),
    FUNCTIONS('image: b:2 # b', 'image: new:1', 'image: a:2 # a', 'image: mine:1 # mine'),
  ],
  [
    'an edited function without a name is the one beside the function of the variant, though that runs the same',
    FUNCTIONS('image: a:1\n    configMap: {k: v}'),
    FUNCTIONS('image: a:2\n    configMap: {k: v}'),
    FUNCTIONS('name: PackageVariant.v.f.0\n    image: a:1', 'image: a:1\n    configMap: {k: mine}'),
    FUNCTIONS('name: PackageVariant.v.f.0\n    image: a:1', 'image: a:2\n    configMap: {k: mine}'),
  ],
  [
    'of functions with one image those are the same that have the same in them, else the same position',
    FUNCTIONS('image: a:1\n    configMap: {k: one}', 'image: a:1\n    configMap: {k: two}'),
    FUNCTIONS('image: a:2\n    configMap: {k: one}', 'image: a:2\n    configMap: {k: two}'),
    FUNCTIONS('image: a:1\n    configMap: {mine: x}', 'image: a:1\n    configMap: {k: one}', 'image: a:1\n    configMap: {k: mine}'),
    FUNCTIONS('image: a:1\n    configMap: {mine: x}', 'image: a:2\n    configMap: {k: one}', 'image: a:2\n    configMap: {k: mine}'),
  ],
  [
    'twins of which upstream changes one are distinguished by their positions',
    FUNCTIONS('image: a:1', 'image: a:1'),
    FUNCTIONS('image: a:2', 'image: a:1'),
    FUNCTIONS('image: a:1', 'image: a:1', 'image: c'),
    FUNCTIONS('image: a:2', 'image: a:1', 'image: c'),
  ],
  [
    'a registry with a port, and digests, are no versions',
    FUNCTIONS('image: registry:5000/a:1', 'image: registry:5000/b:1@sha256:11'),
    FUNCTIONS('image: registry:5000/a:2', 'image: registry:5000/b:2@sha256:22'),
    FUNCTIONS('image: registry:5000/b:1@sha256:11 # b', 'image: registry:5000/a:1 # a'),
    FUNCTIONS('image: registry:5000/b:2@sha256:22 # b', 'image: registry:5000/a:2 # a'),
  ],
  [
    'an image that upstream moves to another registry is the same function',
    FUNCTIONS('image: gcr.io/kpt-fn/set-labels:v0.1\n    configMap: {k: v}'),
    FUNCTIONS('image: ghcr.io/kptdev/set-labels:v0.2\n    configMap: {k: v}'),
    FUNCTIONS('image: gcr.io/kpt-fn/set-labels:v0.1\n    configMap: {k: mine} # mine'),
    FUNCTIONS('image: ghcr.io/kptdev/set-labels:v0.2\n    configMap: {k: mine} # mine'),
  ],
  [
    'a function that one side named is the same as before',
    FUNCTIONS('image: a:1', 'image: b:1'),
    FUNCTIONS('image: a:2', 'image: b:1\n    name: theirs'),
    FUNCTIONS('image: a:1\n    name: mine', 'image: b:1 # b'),
    FUNCTIONS('image: a:2\n    name: mine', 'image: b:1 # b\n    name: theirs'),
  ],
  [
    'what people added stays where upstream removes the list',
    FUNCTIONS('image: a:1', 'image: b:1'),
    '',
    FUNCTIONS('image: a:1', 'image: mine:1 # mine', 'image: b:1'),
    FUNCTIONS('image: mine:1 # mine'),
  ],
  [
    'a deleted function comes back with its image',
    FUNCTIONS('image: a', 'image: b\n    configMap: {k: v}'),
    FUNCTIONS('image: a', 'image: b\n    configMap: {k: up}'),
    FUNCTIONS('image: a'),
    FUNCTIONS('image: a', 'image: b\n    configMap: {k: up}'),
  ],
  [
    'a function that both sides added is there once',
    FUNCTIONS('image: a:1'),
    FUNCTIONS('image: a:1', 'image: n:2'),
    FUNCTIONS('image: a:1', 'image: n:1\n    configMap: {mine: x}'),
    FUNCTIONS('image: a:1', 'image: n:2\n    configMap: {mine: x}'),
  ],
  [
    'a function that both sides added to an empty pipeline is there once',
    '',
    FUNCTIONS('image: n:2'),
    FUNCTIONS('image: n:1\n    configMap: {mine: x}'),
    FUNCTIONS('image: n:2\n    configMap: {mine: x}'),
  ],
  [
    'of two functions with the image of one, the first is the one from upstream',
    FUNCTIONS('image: a:1\n    configMap: {k: v}'),
    FUNCTIONS('image: a:2\n    configMap: {k: v}'),
    FUNCTIONS('image: a:1\n    configMap: {first: x}', 'image: a:1\n    configMap: {second: x}'),
    FUNCTIONS('image: a:2\n    configMap: {first: x}', 'image: a:1\n    configMap: {second: x}'),
  ],
  [
    'functions with different names are two, though they run one image',
    FUNCTIONS('name: x\n    image: a:1'),
    FUNCTIONS('name: x\n    image: a:2'),
    FUNCTIONS('name: y\n    image: a:1'),
    FUNCTIONS('name: y\n    image: a:1', 'name: x\n    image: a:2'),
  ],
  [
    "a variant's function is not upstream's, though it runs the same and upstream's was deleted",
    FUNCTIONS('image: a:1'),
    FUNCTIONS('image: a:2'),
    FUNCTIONS('name: PackageVariant.v.f.0\n    image: a:1'),
    FUNCTIONS('name: PackageVariant.v.f.0\n    image: a:1', 'image: a:2'),
  ],
  [
    'of functions that upstream moved and updated at once, those with equal settings are the same',
    FUNCTIONS('image: a:1\n    configMap: {k: one}', 'image: a:1\n    configMap: {k: two}'),
    FUNCTIONS('image: a:2\n    configMap: {k: two}', 'image: a:2\n    configMap: {k: one}'),
    FUNCTIONS('image: a:1 # one\n    configMap: {k: one}', 'image: a:1 # two\n    configMap: {k: two}'),
    FUNCTIONS('image: a:2 # two\n    configMap: {k: two}', 'image: a:2 # one\n    configMap: {k: one}'),
  ],
  [
    'of functions that differ in their versions alone, the one with an equal version is the same',
    FUNCTIONS('image: a:1', 'image: a:2'),
    FUNCTIONS('image: a:2', 'image: a:3'),
    FUNCTIONS('image: a:1 # one', 'image: a:2 # two'),
    FUNCTIONS('image: a:2 # two', 'image: a:3 # one'),
  ],
  [
    'the order in which settings are written does not distinguish functions',
    FUNCTIONS('image: a:1\n    configMap: {j: one, k: one}', 'image: a:1\n    configMap: {j: two, k: two}'),
    FUNCTIONS('image: a:2\n    configMap: {k: two, j: two}', 'image: a:2\n    configMap: {k: one, j: one}'),
    FUNCTIONS('image: a:1 # one\n    configMap: {j: one, k: one}', 'image: a:1 # two\n    configMap: {j: two, k: two}'),
    FUNCTIONS('image: a:2 # two\n    configMap: {k: two, j: two}', 'image: a:2 # one\n    configMap: {k: one, j: one}'),
  ],
  [
    'functions with the names of their settings in common are the same, whatever the values are',
    FUNCTIONS('image: a:1\n    configMap: {j: v, k: v}', 'image: a:1\n    configMap: {l: v}'),
    FUNCTIONS('image: a:2\n    configMap: {l: up}', 'image: a:2\n    configMap: {k: up, j: up}'),
    FUNCTIONS('image: a:1 # jk\n    configMap: {j: v, k: v}', 'image: a:1 # l\n    configMap: {l: v}'),
    FUNCTIONS('image: a:2 # l\n    configMap: {l: up}', 'image: a:2 # jk\n    configMap: {k: up, j: up}'),
  ],
  [
    'a list of functions goes where upstream removes it and no person added to it',
    FUNCTIONS('image: a:1'),
    'pipeline:\n  validators:\n  - image: v:1\n',
    FUNCTIONS('image: a:1').replace('pipeline:', 'info: {site: mine}\npipeline:'),
    'info: {site: mine}\npipeline:\n  validators:\n  - image: v:1\n',
  ],
  [
    'conditions and fields that a person wrote stay, what rendering noted goes',
    'info: {site: one}\n',
    'info: {site: up}\n',
    'info: {site: one}\nstatus:\n  conditions:\n  - type: Ready\n    status: "True"\n  - type: Rendered\n    status: "True"\n  renderStatus: {mutationSteps: []}\n  mine: true\n',
    'info: {site: up}\nstatus:\n  conditions:\n  - type: Ready\n    status: "True"\n  mine: true\n',
  ],
  [
    'a status with nothing but what rendering noted goes',
    'info: {site: one}\n',
    'info: {site: up}\n',
    'info: {site: one}\nstatus:\n  renderStatus: {mutationSteps: []}\n',
    'info: {site: up}\n',
  ],
  [
    'an empty status that a person wrote stays',
    'info: {site: one}\n',
    'info: {site: up}\n',
    'info: {site: one}\nstatus: {}\n',
    'info: {site: up}\nstatus: {}\n',
  ],
  [
    'gates are one value',
    'info:\n  readinessGates:\n  - conditionType: a\n',
    'info:\n  readinessGates:\n  - conditionType: a\n  - conditionType: up\n',
    'info:\n  readinessGates:\n  - conditionType: a\n  - conditionType: mine\n',
    'info:\n  readinessGates:\n  - conditionType: a\n  - conditionType: up\n',
  ],
  [
    "upstream is the downstream's",
    'upstream: {type: git}\n',
    'upstream: {type: oci}\ninfo: {site: up}\n',
    'upstream: {type: mine}\n',
    'upstream: {type: mine}\ninfo: {site: up}\n',
  ],
  [
    'fields that kpt does not know are merged: what upstream adds, changes and removes is taken, what people write stays',
    'changed: {a: 1, b: 1}\nremoved: 1\nedited: 1\n',
    'changed: {a: 2, b: 1}\nedited: 1\nnew: [up] # of upstream\n',
    'changed: {a: 1, b: 3}\nremoved: 1\nedited: 2\nmine: 1\n',
    'changed: {a: 2, b: 3}\nedited: 2\nnew: [up] # of upstream\nmine: 1\n',
  ],
])('Kptfile: %s', (_, base, theirs, ours, merged) => {
  const result = mergeTexts({
    base: { Kptfile: kptfileText('base', base) },
    theirs: { Kptfile: kptfileText('new', theirs) },
    ours: { Kptfile: kptfileText('mine', ours) },
  })
  expect(result.files).toEqual({ Kptfile: kptfileText('mine', merged) })
})

test('validators are paired as mutators are', () => {
  const validators = (...list: string[]) => FUNCTIONS(...list).replace('mutators', 'validators')
  const result = mergeTexts({
    base: { Kptfile: kptfileText('base', validators('image: a:1')) },
    theirs: { Kptfile: kptfileText('base', validators('image: a:2')) },
    ours: { Kptfile: kptfileText('mine', validators('name: own\n    image: b:1', 'image: a:1')) },
  })
  expect(result.files).toEqual({ Kptfile: kptfileText('mine', validators('name: own\n    image: b:1', 'image: a:2')) })
})

test("a function of two sides in which both changed one field is upstream's, and that is reported", () => {
  const result = mergeTexts({
    base: { Kptfile: kptfileText('base', FUNCTIONS('image: a:1', 'image: b:1')) },
    theirs: { Kptfile: kptfileText('base', FUNCTIONS('image: a:2', 'image: b:1')) },
    ours: { Kptfile: kptfileText('mine', FUNCTIONS('name: own\n    image: c:1', 'image: a:3', 'image: b:1')) },
  })
  expect(result.files).toEqual({ Kptfile: kptfileText('mine', FUNCTIONS('name: own\n    image: c:1', 'image: a:2', 'image: b:1')) })
  expect(result.messages).toEqual([
    "Kptfile:9:12: warning: `pipeline.mutators[1].image` is 'a:3' here; upstream changed it to 'a:2' (Kptfile:7:12), and that is taken [edit-lost]",
  ])
})

test('where upstream has no Kptfile any more, what it had goes from that of the downstream', () => {
  const result = mergeTexts({
    base: { Kptfile: kptfileText('base', 'info: {site: up, keywords: [a]}\n') },
    theirs: {},
    ours: { Kptfile: kptfileText('mine', 'info: {site: up, keywords: [a], description: mine}\nupstream: {type: git}\n') },
  })
  expect(result.files).toEqual({ Kptfile: kptfileText('mine', 'info: {description: mine}\nupstream: {type: git}\n') })
})

test('the Kptfile of a subpackage has the upstream and the lock of the new upstream, that of the package keeps its own', () => {
  const at = (ref: string) => `upstream: {type: git, git: {ref: ${ref}}}\nupstreamLock: {type: git, git: {ref: ${ref}, commit: ${ref}}}\n`
  const files = (root: string, sub: string, more = '') => ({
    Kptfile: kptfileText('root', at(root)),
    'sub/Kptfile': kptfileText('sub', at(sub) + more),
  })
  const result = mergeTexts({ base: files('v1', 'v1'), theirs: files('v2', 'v2'), ours: files('mine', 'v1', 'info: {site: mine}\n') })
  expect(result.files).toEqual(files('mine', 'v2', 'info: {site: mine}\n'))
})
