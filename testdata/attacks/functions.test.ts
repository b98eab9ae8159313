import { beforeAll, test } from 'vitest'
import { FUNCTIONS } from './functions.ts'
import { buildRunner, expectBounded } from './table.ts'

let runner = ''
beforeAll(async () => {
  runner = await buildRunner('attacks-functions')
})

test.each(FUNCTIONS)('$what', (attack) => {
  expectBounded(runner, attack)
})
