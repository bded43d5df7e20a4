/** An answer that breaks the provider contract: a bug of the provider, which is handled like an error that it throws. */
export class ContractViolation extends Error {
  constructor(violation: string) {
    super(`the answer breaks the contract: ${violation}`)
    this.name = 'ContractViolation'
  }
}
