import { main } from '../../src/run.ts'
import { setContext } from './set-context.ts'

await main(setContext)
