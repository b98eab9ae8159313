import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { ApiClient } from './api-client.ts'
import { type FoundObject, objectsOfCommands, objectsOfExamples, objectsOfGoldenCases } from './objects.ts'

/** An entry of refused.yaml: the objects that the server must refuse for one reason. */
interface RefusedGroup {
  readonly reason: string
  /** A text in the server's message. */
  readonly message: string
  /** `FROM: KIND NAME` */
  readonly objects: readonly string[]
}

const REFUSED: readonly RefusedGroup[] = parse(readFileSync(join(import.meta.dirname, 'refused.yaml'), 'utf8'))
const server = inject('apiServer')

describe.skipIf('absent' in server)('an API server with strict field validation', () => {
  const client = 'absent' in server ? undefined : new ApiClient(server)
  const refused = new Map<string, string>()

  test.each([
    { source: 'the outputs of golden cases', read: async () => objectsOfGoldenCases(), least: 800 },
    { source: 'the examples', read: async () => objectsOfExamples(), least: 60 },
    { source: 'what commands write', read: objectsOfCommands, least: 50 },
  ])('takes $source, but for the objects in refused.yaml', async ({ source, read, least }) => {
    const objects = await read()
    const outcomes = await Promise.all(objects.map(async (object) => ({ object, outcome: await client?.apply(object) })))
    const unexpected: string[] = []
    const notServed = new Map<string, number>()
    let applied = 0
    for (const { object, outcome } of outcomes) {
      if (outcome === undefined || 'unknownKind' in outcome) {
        const kind = `${object.apiVersion} ${object.kind}`
        notServed.set(kind, (notServed.get(kind) ?? 0) + 1)
      } else if ('applied' in outcome) applied++
      else {
        refused.set(nameOf(object), outcome.refused)
        if (!isListed(object, outcome.refused)) unexpected.push(`${nameOf(object)}\n    ${outcome.refused}`)
      }
    }
    expect(unexpected.join('\n')).toBe('')
    console.log(`${source}: ${applied} applied, ${outcomes.length - applied - sum(notServed)} refused as listed`)
    console.log(`    ${sum(notServed)} are of built-in kinds or of kinds without a definition: ${listOf(notServed)}`)
    expect(applied).toBeGreaterThan(least)
  })

  test('refuses every object in refused.yaml, for the reason that the file gives', () => {
    const listed = REFUSED.flatMap(({ message, objects }) => objects.map((name) => ({ name, message })))
    expect(listed.filter(({ name, message }) => refused.get(name)?.includes(message) !== true)).toEqual([])
  })
})

function nameOf({ from, kind, name }: FoundObject): string {
  return `${from}: ${kind} ${name}`
}

function isListed(object: FoundObject, refusal: string): boolean {
  return REFUSED.some(({ message, objects }) => objects.includes(nameOf(object)) && refusal.includes(message))
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}

function listOf(counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].sort(([, a], [, b]) => b - a)
  return rows.map(([kind, count]) => `${kind} ${count}`).join(', ')
}
