import { beforeAll, test } from 'vitest'
import { READING } from './reading.ts'
import { buildRunner, expectBounded } from './table.ts'

let runner = ''
beforeAll(async () => {
  runner = await buildRunner('attacks-reading')
})

test.each(READING)('$what', (attack) => {
  expectBounded(runner, attack)
})
