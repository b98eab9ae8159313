import { createHash, randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from '../../json.ts'
import type { FunctionAnswer, Runner } from '../match.ts'

/**
 * The answers of functions in containers, kept between runs: a function is pure, so equal image and equal input give an equal answer.
 * An entry is a file that is named for the digest of image and input (the functionConfig is a part of the input), and begins with the
 * digest of its own text. A damaged entry is removed, and the function runs again.
 */
export class AnswerCache {
  readonly #folder: string

  /** @param folder  the folder of the entries, made at the first answer */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns a runner that calls the given one for unknown input only, and keeps its answers with exit code 0. */
  keep(runner: Runner, imageId: string): Runner {
    const known = (input: string): FunctionAnswer => {
      const file = this.#fileOf(imageId, input)
      return this.#read(file) ?? this.#write(file, runner(input))
    }
    const later = async (input: string): Promise<FunctionAnswer> => {
      const file = this.#fileOf(imageId, input)
      return this.#read(file) ?? this.#write(file, await (runner.later ?? runner)(input))
    }
    return Object.assign(known, { later })
  }

  #fileOf(imageId: string, input: string): string {
    return join(this.#folder, digestOf(`${FORMAT}\n${imageId}\n${input}`))
  }

  #read(file: string): FunctionAnswer | undefined {
    try {
      if (!isOwn(this.#folder)) return undefined
      const answer = answerIn(readFileSync(file, 'utf8'))
      if (answer === undefined) rmSync(file, { recursive: true, force: true })
      return answer
    } catch {
      // Without an entry that can be read the function runs.
      return undefined
    }
  }

  #write(file: string, answer: FunctionAnswer): FunctionAnswer {
    try {
      if (answer.exitCode === 0) this.#store(file, answer)
    } catch {
      // A cache that cannot be written is no reason to fail.
    }
    return answer
  }

  /** Writes beside the entry and renames, so that no reader sees half an entry. */
  #store(file: string, { stdout, stderr }: FunctionAnswer): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    if (!isOwn(this.#folder)) return
    const beside = `${file}.${randomUUID()}`
    const text = JSON.stringify([stdout, stderr])
    try {
      writeFileSync(beside, `${digestOf(text)}\n${text}`, { mode: 0o600, flag: 'wx' })
      renameSync(beside, file)
    } finally {
      rmSync(beside, { force: true })
    }
  }
}

/** Changes when the form of an entry, or the way in which a container is started, changes. */
const FORMAT = 'krm-variants answer 1'

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns true for a folder of this user: another user could put answers into a folder below /tmp. */
function isOwn(folder: string): boolean {
  const user = process.getuid?.()
  return user === undefined || lstatSync(folder).uid === user
}

function answerIn(entry: string): FunctionAnswer | undefined {
  const end = entry.indexOf('\n')
  const text = entry.slice(end + 1)
  if (digestOf(text) !== entry.slice(0, end)) return undefined
  const parts: JsonValue = JSON.parse(text)
  const [stdout, stderr]: readonly JsonValue[] = Array.isArray(parts) ? parts : []
  return typeof stdout === 'string' && typeof stderr === 'string' ? { stdout, stderr, exitCode: 0 } : undefined
}
