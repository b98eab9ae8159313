import { lstatSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { quietly } from '../../attempt.ts'
import { readCached, writeCached } from '../../folder/user-cache.ts'
import { asList, type JsonValue } from '../../json.ts'
import { sha256Hex } from '../../kubernetes/truncated-name.ts'
import type { FunctionAnswer, Runner } from '../match.ts'

/**
 * The answers of functions in containers, kept between runs: a function is pure, so equal image and equal input give an equal answer.
 * An entry is a file that is named for the digest of image and input (the functionConfig is a part of the input), and begins with the
 * digest of its own text. A damaged entry is removed, and the function runs again. An entry that was not used for 30 days is removed, and
 * of more than 512 MB those that were used least recently.
 */
export class AnswerCache {
  readonly #folder: string
  #isTrimmed = false

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
    return join(this.#folder, sha256Hex(`${FORMAT}\n${imageId}\n${input}`))
  }

  #read(file: string): FunctionAnswer | undefined {
    const entry = readCached(file)
    const answer = entry === undefined ? undefined : answerIn(entry)
    if (answer !== undefined) quietly(() => utimesSync(file, new Date(), new Date()))
    else if (entry !== undefined) quietly(() => rmSync(file, { force: true }))
    return answer
  }

  /** Keeps an answer; one that cannot be kept is no reason to fail. */
  #write(file: string, answer: FunctionAnswer): FunctionAnswer {
    const text = JSON.stringify([answer.stdout, answer.stderr])
    if (answer.exitCode !== 0 || !writeCached(file, `${sha256Hex(text)}\n${text}`) || this.#isTrimmed) return answer
    this.#isTrimmed = true
    quietly(() => trim(this.#folder))
    return answer
  }
}

const DAY = 24 * 60 * 60 * 1000
const MOST_DAYS = 30
const MOST_BYTES = 512 * 1024 * 1024

/** Removes the entries of a folder that were not used for long, and the least recently used ones above the most bytes. Other files stay. */
function trim(folder: string): void {
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}(?:\.[0-9a-f-]{36})?$/.test(name))
  const entries = names.map((name) => ({ file: join(folder, name), ...usedAndSize(join(folder, name)) })).sort((a, b) => b.used - a.used)
  let bytes = 0
  for (const { file, used, size } of entries) {
    bytes += size
    if (bytes > MOST_BYTES || Date.now() - used > MOST_DAYS * DAY) rmSync(file, { recursive: true, force: true })
  }
}

/** Returns when an entry was last used, in milliseconds, and its bytes; another process may have removed it. */
function usedAndSize(file: string): { readonly used: number; readonly size: number } {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return { used: stat?.mtimeMs ?? 0, size: stat?.size ?? 0 }
}

/** Changes when the form of an entry, or the way in which a container is started, changes. */
const FORMAT = 'krm-variants answer 1'

function answerIn(entry: string): FunctionAnswer | undefined {
  const end = entry.indexOf('\n')
  const text = entry.slice(end + 1)
  if (sha256Hex(text) !== entry.slice(0, end)) return undefined
  const parts: JsonValue = JSON.parse(text)
  const [stdout, stderr]: readonly JsonValue[] = asList(parts)
  return typeof stdout === 'string' && typeof stderr === 'string' ? { stdout, stderr, exitCode: 0 } : undefined
}
