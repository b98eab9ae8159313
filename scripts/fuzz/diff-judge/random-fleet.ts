import type { Random } from '../random.ts'
import { more, randomFiles, STORES, store, type Targets } from './fleet-texts.ts'

/** The files of a fleet: their lines by path. */
export type FleetFiles = ReadonlyMap<string, readonly string[]>

/** A change of one line, or of a whole file. The lines of a file keep their numbers, so that edits can be taken back one by one. */
export type Edit =
  | { readonly file: string; readonly at: number; readonly before: string; readonly after: string }
  | { readonly file: string; readonly lines: readonly string[]; readonly isAdded: boolean }

/**
 * The packages that a repository has: nothing; those of FROM, in both states; or those of each state, as in a pull request that renders them.
 */
export type Committed = 'nothing' | 'before' | 'both'

/** A fleet, and the edits that a pull request makes in it. */
export interface RandomChange {
  readonly files: FleetFiles
  readonly edits: readonly Edit[]
  readonly committed: Committed
}

/** Returns the files of a fleet after some of the edits. */
export function withEdits({ files }: Pick<RandomChange, 'files'>, edits: readonly Edit[]): FleetFiles {
  const result = new Map(files)
  for (const edit of edits) {
    if ('lines' in edit) {
      if (edit.isAdded) result.set(edit.file, edit.lines)
      else result.delete(edit.file)
    } else {
      const lines = [...(result.get(edit.file) ?? [])]
      lines[edit.at] = edit.after
      result.set(edit.file, lines)
    }
  }
  return result
}

/** What a line may become: each list holds the texts of which one may stand for another. Indentation and list marks stay. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ['revision: 1', 'revision: 2'],
  ['status: open', 'status: closed'],
  ['region: north', 'region: south'],
  ['tier: hub', 'tier: store'],
  ['metrics: https://m.example.com', 'metrics: https://n.example.com', 'metrics: https://o.example.com'],
  ['mode: fast', 'mode: slow'],
  ['team: payments', 'team: shop'],
  ['from: upstream', 'from: catalog'],
  ['size: small', 'size: large'],
  [
    `valueExpr: "{'hub': '3', 'store': '2'}[target.labels.tier]"`,
    `valueExpr: "{'hub': '4', 'store': '2'}[target.labels.tier]"`,
    `valueExpr: "{'hub': '3', 'store': '2', 'edge': '1'}[target.labels.tier]"`,
    `valueExpr: "target.labels.tier == 'hub' ? '3' : '2'"`,
    `valueExpr: "target.labels.tier == 'hub' ? '3' : '5'"`,
    `valueExpr: "target.labels.region == 'north' ? '3' : '2'"`,
  ],
  [`repoExpr: "'store-' + target.name"`, `repoExpr: "'shop-' + target.name"`],
  ['name: ham-01', 'name: fra-01'],
  ['packageNames: [tills]', 'packageNames: [tills, spare]', 'packageNames: [pos]'],
  [`where: target.labels.tier == 'hub'`, `where: target.labels.region == 'south'`, `where: target.labels.region == 'north'`],
  ['tills: 1', 'tills: 2'],
  [`packageExpr: "'p-' + target.labels.region"`, `packageExpr: "'q-' + target.labels.region"`, `packageExpr: "'p-' + target.labels.tier"`],
  [`valueExpr: "'till.' + target.name"`, `valueExpr: "'pos.' + target.name"`, `valueExpr: "'till.' + target.labels.region"`],
  [
    `nameExpr: "target.labels.region + '-endpoints'"`,
    `nameExpr: "target.labels.tier == 'hub' ? 'north-endpoints' : target.labels.region + '-endpoints'"`,
  ],
  ['replicas: 1 # kpt-set: ${replicas}', 'replicas: 5 # kpt-set: ${replicas}'],
  ['replicas: 1', 'replicas: 7'],
  ['image: registry.example.com/till:1.0', 'image: registry.example.com/till:1.1', 'image: registry.example.com/till:2.0'],
  ['name: settings', 'name: options'],
  ['colour: red', 'colour: blue'],
  ['retries = 3', 'retries = 4'],
  ['- --verbose', '- --quiet'],
]

/** Returns a fleet with from 1 to 4 edits. */
export function randomChange(random: Random): RandomChange {
  const targets = random.pick<Targets>(['objects', 'objects', 'listed', 'matrix'])
  const committed = random.pick<Committed>(['nothing', 'nothing', 'before', 'both'])
  // An upgrade keeps an object that functions changed and upstream removed, if the functions change too: then both revisions have the part.
  // What a function wrote stays in a committed package that no longer has the function, so the function of an override replaces another.
  const hasPart = committed === 'nothing' ? undefined : random.oneIn(2)
  const files = new Map(randomFiles(random, targets, hasPart))
  const edits: Edit[] = []
  const count = 1 + random.below(4)
  for (let tries = 0; edits.length < count && tries < 50; tries++) {
    const edit = random.oneIn(8) ? fileEdit(random, files, targets) : lineEdit(random, files)
    if (edit !== undefined && isInFleet(edit, targets) && !edits.some((each) => meets(each, edit))) edits.push(edit)
  }
  // A committed package keeps the content that its revision had when it was rendered.
  const seen = committed === 'nothing' ? edits : edits.filter(({ file }) => !file.startsWith('catalog/'))
  return { files, edits: seen.filter((edit) => !isHiddenByRevision(edit, seen)), committed }
}

/** Returns true for an edit that makes sense for the targets: a listed repository that another one replaces is an entry of the set. */
function isInFleet(edit: Edit, targets: Targets): boolean {
  return !('at' in edit) || !/name: (?:ham|fra)-01/.test(edit.before) || (targets === 'listed' && edit.file === 'fleet/set.yaml')
}

/**
 * Returns true for an edit in the catalog that a change of the revision hides: one in the revision that the set, or a ring, leaves, and a file
 * that the new revision lacks, which has no line to name.
 */
function isHiddenByRevision(edit: Edit, edits: readonly Edit[]): boolean {
  if (!edit.file.startsWith('catalog/')) return false
  if (edits.some((each) => 'after' in each && /tills: \d|where: /.test(each.after))) return true
  const revision = edits.flatMap((each) => ('after' in each ? (/revision: (\d)/.exec(each.after)?.[1] ?? []) : []))[0]
  if (revision === undefined) return false
  return 'lines' in edit || !edit.file.startsWith(`catalog/tills@${revision}/`)
}

/** Returns true for two edits of one line, of a file and a line of it, or of one listed repository, which is named by its first line. */
function meets(a: Edit, b: Edit): boolean {
  if (a.file !== b.file) return false
  if ('lines' in a || 'lines' in b || a.at === b.at) return true
  return Math.abs(a.at - b.at) === 1 && [a, b].some(({ before }) => before.includes('packageNames:'))
}

function lineEdit(random: Random, files: FleetFiles): Edit | undefined {
  // Half of the edits are in the set: most of the causes are there.
  const file = random.oneIn(2) ? 'fleet/set.yaml' : random.pick([...files.keys()])
  const lines = files.get(file) ?? []
  const candidates = lines.flatMap((line, at) => {
    const [, head = '', text = ''] = /^([ ]*(?:- (?!-))?)(.*)$/.exec(line) ?? []
    // Sets of listed repositories read the same labels of `repository`.
    const isListed = text.includes('repository.')
    const asTarget = text.replaceAll('repository.', 'target.')
    const found = ALTERNATIVES.find((each) => each.includes(asTarget))?.filter((each) => each !== asTarget) ?? []
    const others = isListed ? found.map((each) => each.replaceAll('target.', 'repository.')) : found
    return others.length === 0 ? [] : [{ at, head, others, before: line }]
  })
  if (candidates.length === 0) return undefined
  const { at, head, others, before } = random.pick(candidates)
  return { file, at, before, after: head + random.pick(others) }
}

function fileEdit(random: Random, files: FleetFiles, targets: Targets): Edit | undefined {
  if (random.oneIn(2)) {
    const present = [...files].filter(([path]) => path.startsWith('fleet/stores/') || path.endsWith('/part.yaml'))
    if (present.length === 0) return undefined
    const [file, lines] = random.pick(present)
    return { file, lines, isAdded: false }
  }
  const missing = [
    ...STORES.map((name) => [`fleet/stores/${name}.yaml`, store(random, name, targets)] as const),
    ['catalog/tills@2/more.yaml', more()] as const,
  ]
  const [file, lines] = random.pick(missing)
  return files.has(file) ? undefined : { file, lines, isAdded: true }
}
