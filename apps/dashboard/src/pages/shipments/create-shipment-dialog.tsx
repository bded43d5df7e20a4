import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toastSuccess } from '../../components/toast.tsx'
import { ShipmentForm } from './shipment-form.tsx'
import { emptyShipment, toBody } from './shipment-values.ts'
import { reloadShipments } from './shipment.ts'

/** Creates a shipment, then opens it. */
export function CreateShipmentDialog({ onClose }: { onClose(): void }) {
  const [values, setValues] = useState(emptyShipment)
  const navigate = useNavigate()
  const create = api.useMutation('post', '/api/v1/shipments', {
    onSuccess({ data }) {
      void reloadShipments()
      toastSuccess(`${data.reference} was created`)
      onClose()
      void navigate({ to: '/shipments/$shipmentId', params: { shipmentId: data.id }, search: true, resetScroll: false })
    },
  })
  return (
    <ShipmentForm
      title="Create a shipment"
      values={values}
      onChange={setValues}
      action="Create shipment"
      busy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate({ body: toBody(values) })}
      onClose={onClose}
    />
  )
}
