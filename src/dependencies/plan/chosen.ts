import type { PartAnswer } from '../resolve/answer.ts'
import type { PackageValue } from './node.ts'
import type { Planning } from './planning.ts'

/** The values that were chosen, by the ids of their nodes. */
export type Chosen = ReadonlyMap<string, PackageValue>

/** The values of the parts that have an answer. */
export function chosenIn(answers: readonly PartAnswer[], planning: Planning): Chosen {
  return valuesOf(new Map(answers.flatMap(({ outcome }) => (outcome.type === 'solved' ? [...outcome.versions] : []))), planning)
}

/** The values of the nodes that have a version, by the numbers of these. */
export function valuesOf(versions: ReadonlyMap<string, number>, planning: Planning): Chosen {
  return new Map(
    [...versions].flatMap(([id, version]): [string, PackageValue][] => {
      const value = planning.node(id)?.values[version]
      return value === undefined ? [] : [[id, value]]
    }),
  )
}

/** The values that are there already. */
export function valuesThere({ nodes }: Planning): Chosen {
  return new Map(
    [...nodes].flatMap(({ id, values }): [string, PackageValue][] => {
      const own = values.find(({ isInstalled }) => isInstalled)
      return own === undefined ? [] : [[id, own]]
    }),
  )
}
