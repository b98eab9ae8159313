import { nearestName } from '../../schema/nearest-name.ts'

/** Letters by letters that a run compares: fleets may have thousands of injectors that name none of thousands of candidates. */
const MOST_WORK = 50_000_000

/** For a list of names: says which of them was most likely meant by another. */
export type NearestAmong = (names: readonly string[]) => (name: string) => string | undefined

/** Answers once for a name and a list; when all lists together have taken their time, new names are near none. */
export function nearestNames(): NearestAmong {
  let left = MOST_WORK
  return (names) => {
    const letters = names.join('').length
    const answers = new Map<string, string | undefined>()
    return (name) => {
      if (answers.has(name)) return answers.get(name)
      left -= name.length * letters
      if (left < 0) return undefined
      const answer = nearestName(name, names)
      answers.set(name, answer)
      return answer
    }
  }
}
