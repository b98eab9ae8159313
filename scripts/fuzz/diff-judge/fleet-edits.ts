import type { FleetFiles } from '../../../testdata/diff/fleet-state.ts'
import type { Random } from '../random.ts'
import { more, STORES, store, type Targets } from './fleet-texts.ts'

/**
 * A change of some lines, or of a whole file. As many lines come as go, so that the lines of a file keep their numbers and edits can be
 * taken back one by one.
 */
export type Edit = { readonly kind: string; readonly file: string } & (
  | { readonly at: number; readonly before: readonly string[]; readonly after: readonly string[] }
  | { readonly lines: readonly string[]; readonly isAdded: boolean }
)

/** Returns the files after some edits. */
export function withEdits(files: FleetFiles, edits: readonly Edit[]): FleetFiles {
  const result = new Map(files)
  for (const edit of edits) {
    if ('lines' in edit) {
      if (edit.isAdded) result.set(edit.file, edit.lines)
      else result.delete(edit.file)
    } else {
      const lines = [...(result.get(edit.file) ?? [])]
      lines.splice(edit.at, edit.before.length, ...edit.after)
      result.set(edit.file, lines)
    }
  }
  return result
}

/**
 * The texts that a line may become, by kind: each list holds the texts of which one may stand for another. Indentation and list marks stay.
 */
const ALTERNATIVES: readonly (readonly [kind: string, texts: readonly string[]])[] = [
  ['revision', ['revision: 1', 'revision: 2']],
  ['label of a target', ['status: open', 'status: closed']],
  ['label of a target', ['region: north', 'region: south']],
  ['label of a target', ['tier: hub', 'tier: store']],
  ['label that comes and goes', ['zone: a', 'zone: b', 'area: a']],
  ['injected object', ['metrics: https://m.example.com', 'metrics: https://n.example.com', 'metrics: https://o.example.com']],
  ['value of the set', ['mode: fast', 'mode: slow']],
  ['value of the set', ['team: payments', 'team: shop']],
  ['function of the upstream', ['from: upstream', 'from: catalog']],
  ['setter', ['size: small', 'size: large', 'grade: small']],
  ['setter', ['size: small # kpt-set: ${size}', 'size: small # kpt-set: ${grade}']],
  ['key of an entry', ['key: replicas', 'key: count']],
  ['key of an entry', ['key: host', 'key: address']],
  ['name of a package', ['package: far', 'package: near']],
  [
    'expression',
    [
      `valueExpr: "{'hub': '3', 'store': '2'}[target.labels.tier]"`,
      `valueExpr: "{'hub': '4', 'store': '2'}[target.labels.tier]"`,
      `valueExpr: "{'hub': '3', 'store': '2', 'edge': '1'}[target.labels.tier]"`,
      `valueExpr: "target.labels.tier == 'hub' ? '3' : '2'"`,
      `valueExpr: "target.labels.tier == 'hub' ? '3' : '5'"`,
      `valueExpr: "target.labels.region == 'north' ? '3' : '2'"`,
      `valueExpr: "target.labels.region == 'north' ? (target.labels.tier == 'hub' ? '4' : '3') : '2'"`,
    ],
  ],
  ['name of a repository', [`repoExpr: "'store-' + target.name"`, `repoExpr: "'shop-' + target.name"`]],
  ['cluster renamed', ['name: ham-01', 'name: fra-01', 'name: str-01']],
  ['listed packages', ['packageNames: [tills]', 'packageNames: [tills, spare]', 'packageNames: [pos]']],
  ['condition', [`where: target.labels.tier == 'hub'`, `where: target.labels.region == 'south'`, `where: target.labels.region == 'north'`]],
  ['revision of a ring', ['tills: 1', 'tills: 2']],
  [
    'name of a package',
    [
      `packageExpr: "'p-' + target.labels.region"`,
      `packageExpr: "'q-' + target.labels.region"`,
      `packageExpr: "'p-' + target.labels.tier"`,
      `packageExpr: "has(target.labels.zone) ? 'p-' + target.labels.zone : 'p-' + target.labels.region"`,
    ],
  ],
  [
    'expression',
    [
      `valueExpr: "'till.' + target.name"`,
      `valueExpr: "'pos.' + target.name"`,
      `valueExpr: "'till.' + target.labels.region"`,
      `valueExpr: "has(target.labels.zone) ? target.labels.zone : 'till.' + target.name"`,
      `valueExpr: "has(target.labels.zone) && target.labels.zone == 'b' ? 'b.' + target.labels.tier : 'till.' + target.name"`,
    ],
  ],
  [
    'expression',
    [
      `nameExpr: "target.labels.region + '-endpoints'"`,
      `nameExpr: "target.labels.tier == 'hub' ? 'north-endpoints' : target.labels.region + '-endpoints'"`,
    ],
  ],
  [
    'line of the upstream',
    [
      'replicas: 1 # kpt-set: ${replicas}',
      'replicas: 5 # kpt-set: ${replicas}',
      'replicas: 1 # kpt-set: ${count}',
      'replicas: 5 # kpt-set: ${count}',
    ],
  ],
  ['line of the upstream', ['replicas: 1', 'replicas: 7']],
  [
    'line of the upstream',
    ['image: registry.example.com/till:1.0', 'image: registry.example.com/till:1.1', 'image: registry.example.com/till:2.0'],
  ],
  ['object renamed', ['name: settings', 'name: options']],
  ['object renamed', ['name: part', 'name: piece']],
  ['line of the upstream', ['colour: red', 'colour: blue']],
  ['line of the upstream', ['retries = 3', 'retries = 4']],
  ['line of the upstream', ['- --verbose', '- --quiet']],
]

/** Returns one edit, or those that a person makes together; none if the fleet has no place for them. */
export function randomEdits(random: Random, files: FleetFiles, targets: Targets): readonly Edit[] {
  if (random.oneIn(8)) return fileEdit(random, files, targets)
  if (random.oneIn(6)) return random.pick([setSplit, overrideRemoved, functionsReordered, objectMoved])(random, files)
  return lineEdit(random, files, targets)
}

function lineEdit(random: Random, files: FleetFiles, targets: Targets): readonly Edit[] {
  // Half of the edits are in the set: most of the causes are there.
  const file = random.oneIn(2) ? 'fleet/set.yaml' : random.pick([...files.keys()])
  const candidates = (files.get(file) ?? []).flatMap((line, at) => {
    const [, head = '', text = ''] = /^([ ]*(?:- (?!-))?)(.*)$/.exec(line) ?? []
    // Sets of listed repositories read the same labels of `repository`.
    const isListed = text.includes('repository.')
    const asTarget = text.replaceAll('repository.', 'target.')
    const [kind = '', texts = []] = ALTERNATIVES.find(([, each]) => each.includes(asTarget)) ?? []
    const others = texts.filter((each) => each !== asTarget).map((each) => (isListed ? each.replaceAll('target.', 'repository.') : each))
    // The name of a listed repository is an entry of the set; its object keeps its name.
    const isName = kind === 'cluster renamed' && targets === 'listed' && file !== 'fleet/set.yaml'
    return others.length === 0 || isName ? [] : [{ kind, at, head, others, before: line }]
  })
  if (candidates.length === 0) return []
  const { kind, at, head, others, before } = random.pick(candidates)
  return [{ kind, file, at, before: [before], after: [head + random.pick(others)] }]
}

function fileEdit(random: Random, files: FleetFiles, targets: Targets): readonly Edit[] {
  if (random.oneIn(2)) {
    const present = [...files].filter(([path]) => path.startsWith('fleet/stores/') || /\/(?:part|paper)\.yaml$/.test(path))
    if (present.length === 0) return []
    const [file, lines] = random.pick(present)
    return [{ kind: 'file removed', file, lines, isAdded: false }]
  }
  const missing = [
    ...STORES.map((name) => [`fleet/stores/${name}.yaml`, store(random, name, targets)] as const),
    ['catalog/tills@2/more.yaml', more()] as const,
    ...(files.has('catalog/tills@2/printer/Kptfile') ? [['catalog/tills@2/printer/ink.yaml', more('ink')] as const] : []),
  ]
  const [file, lines] = random.pick(missing)
  return files.has(file) ? [] : [{ kind: 'file added', file, lines, isAdded: true }]
}

/** Returns the edits that split a set in two: a clause in its selector, and a second set for the other targets. */
function setSplit(random: Random, files: FleetFiles): readonly Edit[] {
  const lines = files.get('fleet/set.yaml') ?? []
  const at = lines.findIndex((line) => line.trim() === 'status: open')
  const [margin = ''] = /^ */.exec(lines[at] ?? '') ?? []
  if (at === -1 || lines.some((line) => line.trim() === 'region: south')) return []
  const [kept, other] = random.oneIn(2) ? ['north', 'south'] : ['south', 'north']
  const second = lines.map((line, i) => (i === at ? `${margin}region: ${other}` : line === '  name: tills' ? '  name: tills-2' : line))
  return [
    { kind: 'set split', file: 'fleet/set.yaml', at, before: lines.slice(at, at + 1), after: [`${margin}region: ${kept}`] },
    { kind: 'set split', file: 'fleet/second.yaml', lines: second, isAdded: true },
  ]
}

function overrideRemoved(_random: Random, files: FleetFiles): readonly Edit[] {
  const lines = files.get('fleet/set.yaml') ?? []
  const at = lines.indexOf('  overrides:')
  if (at === -1) return []
  const end = lines.findIndex((line, i) => i > at && /^ {0,2}\S/.test(line))
  const before = lines.slice(at, end === -1 ? undefined : end)
  return [{ kind: 'override removed', file: 'fleet/set.yaml', at, before, after: before.map(() => '') }]
}

/** Returns the edit that gives the two functions of the set the other order. */
function functionsReordered(_random: Random, files: FleetFiles): readonly Edit[] {
  const lines = files.get('fleet/set.yaml') ?? []
  const at = lines.findIndex((line) => line.trim() === '- name: labels')
  const second = lines.findIndex((line) => line.trim() === '- name: setters')
  if (at === -1 || second === -1) return []
  const margin = (lines[second] ?? '').indexOf('-')
  const end = lines.findIndex((line, i) => i > second && line.search(/\S/) <= margin)
  const last = end === -1 ? lines.length : end
  const before = lines.slice(at, last)
  const after = [...lines.slice(second, last), ...lines.slice(at, second)]
  return [{ kind: 'functions reordered', file: 'fleet/set.yaml', at, before, after }]
}

/** Returns the edits that move an object of the upstream to another file. */
function objectMoved(random: Random, files: FleetFiles): readonly Edit[] {
  const present = [...files].filter(([path]) => /^catalog\/.*\/(?:part|settings|till)\.yaml$/.test(path))
  const [file, lines] = random.pick(present)
  const other = file.replace(/[^/]*$/, 'moved.yaml')
  return [
    { kind: 'object moved', file, lines, isAdded: false },
    { kind: 'object moved', file: other, lines, isAdded: true },
  ]
}
