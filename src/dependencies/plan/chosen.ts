import type { PartAnswer } from '../resolve/answer.ts'
import type { PackageValue } from './node.ts'
import type { Planning } from './planning.ts'

/** The chosen values, by the ids of their nodes. */
export type Chosen = ReadonlyMap<string, PackageValue>

/** Returns the chosen values of the parts that have a solution. */
export function chosenIn(answers: readonly PartAnswer[], planning: Planning): Chosen {
  return valuesOf(new Map(answers.flatMap(({ outcome }) => (outcome.type === 'solved' ? [...outcome.versions] : []))), planning)
}

/** Returns the chosen values for the numbers of versions that the solver returns. */
export function valuesOf(versions: ReadonlyMap<string, number>, planning: Planning): Chosen {
  return new Map(
    [...versions].flatMap(([id, version]): [string, PackageValue][] => {
      const value = planning.node(id)?.values[version]
      return value === undefined ? [] : [[id, value]]
    }),
  )
}

/** Returns the installed values of all nodes. */
export function valuesThere({ nodes }: Planning): Chosen {
  return new Map(
    [...nodes].flatMap(({ id, values }): [string, PackageValue][] => {
      const own = values.find(({ isInstalled }) => isInstalled)
      return own === undefined ? [] : [[id, own]]
    }),
  )
}
