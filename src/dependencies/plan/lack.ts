import { describeKind } from '../demands.ts'
import { listNames, listSome } from '../finding.ts'
import { type Leaf, leavesOf } from '../requirement-leaves.ts'
import type { GvkRequirement, PackageRequirement, Requirement, ServedKinds, Universe } from '../universe.ts'
import type { NodeTable } from './node-table.ts'

/** Whose requirement it is, and what there is. */
interface Known {
  readonly universe: Universe
  readonly nodes: NodeTable
  readonly kinds: ServedKinds
}

/** Why nothing meets a requirement, as what follows it in a sentence: `, of which 1.5.0 and 1.0.0 are known`. */
export function describeLack(requirement: Requirement, known: Known): string {
  const leaves = leavesOf(requirement)
  const [only] = leaves
  if (leaves.length > 1) {
    const lacks = leaves.flatMap((leaf) => lackOfAlternative(leaf, known))
    return lacks.length === 0 ? '' : ` (${listSome(lacks).join('; ')})`
  }
  if (only?.type === 'package') return `, of which ${lackOfPackage(only, known)}`
  return only?.type === 'gvk' && isUnprovided(only, known) ? ', which no known package provides' : ''
}

function lackOfAlternative(leaf: Leaf, known: Known): string[] {
  if (leaf.type === 'package') return [`of ${leaf.target.name} ${lackOfPackage(leaf, known)}`]
  return leaf.type === 'gvk' && isUnprovided(leaf, known) ? [`no known package provides ${describeKind(leaf.wanted)}`] : []
}

function isUnprovided({ wanted }: GvkRequirement, { kinds }: Known): boolean {
  return kinds.providersOf(wanted).length === 0
}

function lackOfPackage({ target, validateOnly, range }: PackageRequirement, { universe, nodes }: Known): string {
  const texts = nodes
    .of(target)
    .flatMap(({ values }) => values.map(({ text }) => text))
    .filter((text) => text !== '')
  if (texts.length === 0) return `no version is known${universe.suggest(target.id).replace(/^; (.*)$/, ' ($1)')}`
  const isKnown = target.versions.some((version) => range === undefined || range.selects(version))
  if (validateOnly && isKnown) return 'none is there, and none is installed for it (install: false)'
  return `${listNames(listSome([...new Set(texts)]))} ${texts.length === 1 ? 'is' : 'are'} known`
}
