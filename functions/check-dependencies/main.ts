import { main } from '../../src/run.ts'
import { collectOften, optimizeLate } from '../../src/v8-flags.ts'
import { checkDependencies } from './check-dependencies.ts'

optimizeLate()
collectOften()
await main(checkDependencies)
