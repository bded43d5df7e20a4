import { toApiError } from '../../api/api-error.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import { PairFields } from '../../components/pair-fields.tsx'
import { AddressFields } from './address-fields.tsx'
import { ParcelFields } from './parcel-fields.tsx'
import type { ShipmentValues } from './shipment-values.ts'

export interface ShipmentFormProps {
  readonly title: string
  readonly values: ShipmentValues
  onChange(values: ShipmentValues): void
  /** The label of the button that saves. */
  readonly action: string
  readonly busy: boolean
  /** The error of the last attempt. */
  readonly error: unknown
  onSubmit(): void
  onClose(): void
}

/** A dialog with the fields of a shipment. */
export function ShipmentForm({ title, values, onChange, action, busy, error, onSubmit, onClose }: ShipmentFormProps) {
  const issues: ReadonlyMap<string, string> = error ? toApiError(error).fields : new Map()
  const set = (changes: Partial<ShipmentValues>) => onChange({ ...values, ...changes })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={onSubmit}
      size="lg"
      title={title}
      footer={<FormFooter action={action} busy={busy} error={error} onClose={onClose} />}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label="Reference"
          hint="Unique among your shipments, such as an order number."
          required
          maxLength={64}
          value={values.reference}
          error={issues.get('reference')}
          onChange={({ target }) => set({ reference: target.value })}
        />
        <TextField
          label="Estimated delivery"
          type="datetime-local"
          value={values.estimatedDelivery}
          error={issues.get('estimated_delivery')}
          onChange={({ target }) => set({ estimatedDelivery: target.value })}
        />
        <TextField
          label="Carrier"
          maxLength={64}
          value={values.carrier}
          error={issues.get('carrier')}
          onChange={({ target }) => set({ carrier: target.value })}
        />
        <TextField
          label="Tracking number"
          maxLength={64}
          value={values.trackingNumber}
          error={issues.get('tracking_number')}
          onChange={({ target }) => set({ trackingNumber: target.value })}
        />
      </div>
      <AddressFields
        label="From"
        field="origin"
        address={values.origin}
        issues={issues}
        onChange={(origin) => set({ origin })}
      />
      <AddressFields
        label="To"
        field="destination"
        address={values.destination}
        issues={issues}
        onChange={(destination) => set({ destination })}
      />
      <ParcelFields parcels={values.parcels} issues={issues} onChange={(parcels) => set({ parcels })} />
      <Field label="Notes" error={issues.get('notes')}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={2000}
            value={values.notes}
            onChange={({ target }) => set({ notes: target.value })}
            className={`${inputClass} h-auto! py-1.5`}
          />
        )}
      </Field>
      <PairFields
        legend="Metadata"
        pair="pair"
        maxPairs={50}
        maxValueLength={512}
        pairs={values.metadata}
        error={issues.get('metadata')}
        onChange={(metadata) => set({ metadata })}
      />
    </Dialog>
  )
}
