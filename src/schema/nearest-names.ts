import { lettersCompared, nearestName } from './nearest-name.ts'

/** Letters that a run compares: fleets may have thousands of names that are none of thousands of others. */
const MOST_LETTERS = 10_000_000

/** For a list of names: says which of them was most likely meant by another. */
export type NearestAmong = (names: readonly string[]) => (name: string) => string | undefined

/** Answers once for a name and a list; when all lists together have taken their time, new names are near none. */
export function nearestNames(): NearestAmong {
  let left = MOST_LETTERS
  return (names) => {
    const letters = names.reduce((sum, { length }) => sum + length, 0)
    const answers = new Map<string, string | undefined>()
    return (name) => {
      if (answers.has(name)) return answers.get(name)
      if (left < 0) return undefined
      left -= lettersCompared(name, letters)
      const answer = nearestName(name, names)
      answers.set(name, answer)
      return answer
    }
  }
}
