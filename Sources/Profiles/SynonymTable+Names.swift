internal import Trips

extension SynonymTable {
    /// Names as sources write them, a field a line: names of one tier between commas, tiers between `>`, the preferred
    /// one first. `Start Time` and `End Time` are the pickup and the drop-off of the passenger (VetRide), hence
    /// `left_scene_at` and `arrived_at`.
    package static let standardText = """
        trip_id: Trip ID, Trip IDs > Trip Number, Trip #, Trip No, Ride ID, Booking ID, Journey ID \
            > Confirmation Number, Reservation, Reservation Number, Run Number > eResponse.04, EMS Response Number \
            > eRecord.01, PCR Number, Patient Care Report Number > RowID
        leg_id: Leg ID, Trip Leg ID, seqRideLegID, Legcd, Leg Code, Leg Number, Leg #, Leg > Segment, Segment ID \
            > Leg Type
        updated_at: Updated At, Last Updated, Last Update, Last Modified, Modified At, Modified Date
        sequence: Sequence, Sequence Number, Version, Revision
        status: Status, Trip Status, Ride Status, Leg Status > eDisposition.30, eDisposition.27
        trip_type: Trip Type, Type of Trip, Trip Category > Response Type, Service Type, Request Type > eResponse.05, \
            Type of Service Requested
        region: Region, Region Name, Service Region > VISN
        facility_id: Facility ID > Facility, Facility Code, Facility Number > Station Number, VAMC
        service_date: Service Date, Date of Service, DOS, Trip Date, Ride Date > Incident Date, Incident DT, \
            Call Date, Run Date
        requested_at: Requested At, Request Time, Time Requested, Call Received, Received DtTm, PSAP Call Date/Time \
            > Requested Pick-up Time > Scheduled Pick-up Time, Promised Pick-up Time, Pickup Time, PU Time, P/U Time \
            > Estimated Pickup Time, Estimated Pick-up Time > eTimes.01
        unit_notified_at: Unit Notified At, Unit Notified, Unit Notified by Dispatch, Unit Notified by Dispatch DT, \
            Unit Notified by Dispatch Date/Time, Dispatch Time, Dispatched At, Dispatch DtTm, Time Dispatched \
            > eTimes.03
        en_route_at: En Route At, En Route, En Route Time, Unit En Route, Unit En Route Date/Time, Response DtTm, \
            Time En Route > eTimes.05
        on_scene_at: On Scene At, On Scene, On Scene Time, On Scene DtTm, Unit Arrived on Scene, \
            Unit Arrived on Scene DT, Unit Arrived on Scene Date/Time, Time On Scene > Reported Pick-up Arrival, \
            Reported Pick-up Arrival Time, Origin Actual Arrive > eTimes.06
        left_scene_at: Left Scene At, Left Scene, Left Scene Time, Unit Left Scene, Unit Left Scene DT, \
            Unit Left Scene Date/Time, Departed Scene, Transport DtTm > Reported Pick-up Departure, \
            Reported Pick-up Departure Time, Origin Actual Depart > ActualPU, Actual Pickup Time, Actual Pick-up \
            > Start Time, Trip Start Time > eTimes.09
        arrived_at: Arrived At, Arrived at Destination, At Destination, Patient Arrived at Destination, \
            Patient Arrived Destination DT, Patient Arrived at Destination Date/Time, Hospital DtTm \
            > Reported Drop-Off Arrival, Reported Drop-Off Arrival Time, Dest Actual Arrive > ActualDO, \
            Actual Drop-off Time, Actual Drop-off > End Time, Trip End Time > eTimes.11
        completed_at: Completed At, Completed Time, Available DtTm, Unit Available, Back in Service, \
            Unit Back in Service, Unit Back in Service Date/Time, Clear Time > Reported Drop-Off Departure, \
            Reported Drop-Off Departure Time, Dest Actual Depart > eTimes.13
        appointment_at: Appointment At, Appointment Time, Appt Time, Appointment > Due Time, DueTime \
            > Latest Arrival Time
        provider_id: Provider ID, Provider Number, Provider Code > Vendor ID, Vendor Number > Agency ID, \
            EMS Agency Number, eResponse.01 > dAgency.02
        provider_name: Provider Name, Provider, Transportation Provider > Run Company, Vendor Name, Vendor \
            > Third Party > Agency Name, EMS Agency Name, eResponse.02 > dAgency.03
        provider_npi: Provider NPI, NPI, NPI Number
        vehicle_id: Vehicle ID, Vehicle Number, Vehicle #, Vehicle > Unit ID, Unit Number, Unit #, Unit > eResponse.13 \
            > Call Sign, Unit Call Sign, eResponse.14
        contract_number: Contract Number, Contract #, Contract No, Contract ID
        invoice_number: Invoice Number, Invoice #, Invoice No, Invoice ID > Invoice
        hcpcs_code: HCPCS Code, HCPCS > Procedure Code, CPT/HCPCS, CPT Code
        hcpcs_modifiers: HCPCS Modifiers, HCPCS Modifier > Modifiers, Modifier, Procedure Modifiers
        loaded_miles: Loaded Miles, Loaded Mileage > Trip Mileage, Actual Trip Distance, Trip Reported Mileage, \
            Actual Mileage, Actual Miles
        unloaded_miles: Unloaded Miles, Unloaded Mileage > Deadhead Miles, Empty Miles
        odometer_start: Odometer Start, Start Odometer, Starting Odometer > eResponse.20
        odometer_end: Odometer End, End Odometer, Ending Odometer > eResponse.21
        cost: Cost, Actual Cost > Amount Paid, Paid Amount > Trip Cost, Provider Cost, Adjusted Cost, \
            Subcontractor Rate, Full Fare, Trip Value
        patient_id: Patient ID, Patient Number, MRN, Medical Record Number > Passenger Member ID, Member ID, \
            Passenger ID, Client ID, Rider ID, Veteran ID > EMS Patient ID, ePatient.01
        patient_name: Patient Name, Passenger Name, Client Name, Rider Name, Member Name, Veteran Name > Patient, \
            Passenger > Paitent Name > Patient Last Name, Last Name, ePatient.02 > Patient First Name, First Name, \
            ePatient.03
        patient_dob: Patient DOB, Paitent DOB, DOB, Date of Birth, Birth Date, Passenger DOB, Member DOB > ePatient.17
        patient_phone: Patient Phone, Phone Number, Phone, Passenger Phone, Telephone, Patient Phone Number \
            > ePatient.18
        patient_address: Patient Address, Home Address, Patient Home Address > ePatient.05
        patient_zip: Patient ZIP, Patient ZIP Code, Home ZIP > ZIP, ZIP Code > ePatient.09
        patient_city: Patient City, Home City, Patient Home City
        patient_state: Patient State, Home State, Patient Home State
        origin: Origin, Origin Address, Pickup Address, Pick-up Address, PU Address, Pickup Location
        destination: Destination, Destination Address, Dropoff Address, Drop-off Address, DO Address \
            > Dropoff Location, Drop-off Location
        notes: Notes, Trip Notes > Comments, Comment, Remarks > VA Notes > Special Instructions > Narrative, \
            Patient Care Report Narrative, eNarrative.01
        """

    static let standardNames: [CanonicalField: [[String]]] = {
        var names: [CanonicalField: [[String]]] = [:]
        for line in standardText.split(separator: "\n") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            guard parts.count == 2, let field = CanonicalField(rawValue: String(parts[0])) else { continue }
            names[field] = parts[1].split(separator: ">").map { tier in
                tier.split(separator: ",").map { $0.trimmingBlanks() }
            }
        }
        return names
    }()
}
