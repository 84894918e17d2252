extension SuggestedNames {
    /// Names that `map suggest` knows beside those of `SynonymTable`, a field a line: names of one tier between commas, tiers
    /// between `>`, the preferred one first. After `?` are names that are proposed with a question mark, because other
    /// systems use them for something else; after a second `?` names that are only mentioned. A line of `-` has names that mean no field.
    ///
    /// Some names are German, of dispatch centres there.
    ///
    /// Sources: NEMSIS 3.5.1 and NERIS element names, the open data of New York, San Francisco, Seattle, Marin, Virginia
    /// Beach, Cincinnati and Indiana, and the time stamps of dispatch, patient record and billing systems.
    static let standardText = """
        trip_id: Run ID, Unit Response ID, Response Number, Response ID, Transport ID, Transport Number \
            > Event Number, Event ID, Dispatch Number, PCR Key, PCR ID > Auftrag, Auftragsnummer, Auftragsnr, \
            Einsatznummer, EinsatzNr \
            ? CAD Incident ID, CAD Number, Call ID, Job Number, Master Incident Number > Order ID, Assignment ID \
            > Incident Number, Incident ID, Incident NERIS ID, \
            Call Number > Case Number, Report Number, Record ID, Object ID, FID, ID
        updated_at: Date Modified, Last Edited Date, Updated Date, Update Time, Last Change, Record Updated
        status: Run Status, Call Status, Transport Status, Schedule Status \
            ? Record Status > Call Final Disposition, Final Disposition, Trip Disposition, Run Disposition, Transport Disposition \
            > Disposition, Call Disposition, Case Disposition, Incident Disposition, Incident Disposition Code, \
            Disposition Text, Patient Disposition, Outcome, Result
        trip_type: Transport Type, Type of Transport, Run Type, Type of Run \
            ? Final Priority > Call Type Group, Incident Type Group > Priority, Call Priority, Dispatch Priority, \
            Response Priority, Response Mode > Level of Service, LOS, Service Level > Final Call Type, Call Type, \
            Incident Type, Incident Type Desc, Incident Type Description, Event Type, Type, Nature, Nature of Call, \
            Problem > Einsatzart, Transportart, Art ? Chief Complaint Dispatch
        region: Borough, Service Area, Response Area, Response Zone > Gebiet, Bezirk, Landkreis \
            ? County, Incident County, Scene County > Zone, District, Sector, Division, Battalion > Area, \
            Dispatch Area, Incident Dispatch Area, Station Area, Supervisor District, Jurisdiction \
            > City, Incident City, Town, Township, Municipality > Neighborhood > Subdivision > Beat \
            > eScene.21
        service_date: Date, Response Date, Transport Date, Service DT, Date of Transport
        requested_at: Call Date/Time, Call Time, Call Received Time, Time Call Received, Time Call Was Received, \
            Call Recd, Received, Time Received, Received Date, Call Start, PSAP Time, Phone Pickup, Pick Up Requested \
            > Incident Date/Time, Incident Time, Incident Created, Create Time Incident, Call Created, Created Time \
            > Ring, Call Ring, Phone Ring, Call Answered, Phone Answered, Call Opened, Order Time, Eingang, Notrufeingang \
            ? Alarm Time, Event Time, Date Time, DateTime, Timestamp
        unit_notified_at: Dispatched, Dispatch, Unit Dispatched, Vehicle Dispatched, Unit Notification, Notified, \
            Assigned, Time Assigned, Unit Assigned, First Assignment, Dispatch Time Primary Unit, Paged, Toned \
            ? Alerted, Alarm, Alarmierung
        en_route_at: Enroute, Unit Enroute, Responding, Unit Responding, En Route to Scene, Unit En Route to Scene, \
            Activation, First Activation, Turnout, Rolling \
            > Mobilised, Mobilized ? Response Time, Responded > Mobile, S3
        on_scene_at: At Scene, Arrived on Scene, Arrived at Scene, Arrive Scene, Scene Arrival, First On Scene, \
            Unit Arrived, Arrival Time Primary Unit, First Unit Arrived, Unit On Scene, Unit At Scene \
            > On Location, Arrived Location, Arrive Pickup, Arrive Origin, Vor Ort \
            ? Arrived, Arrive, Arrival Time > At Patient, Arrived at Patient, With Patient, Unit Arrived to Patient, \
            Patient Contact, Patient Side, Bedside, Arrived Bedside > S4
        left_scene_at: Depart Scene, Departed from the Scene, Leave Scene, Transporting, Begin Transport, \
            Transport Start, En Route Hospital, En Route to Hospital, To Hospital, First To Hospital, \
            En Route to Destination, Leaving Scene > Depart Pickup, Leave Pickup, Depart Origin, Leave Origin \
            ? Transport, Departed, Depart > S7
        arrived_at: At Dest, Arrived Destination, Arrive Destination, Destination Arrival, Arrived to Next Destination \
            Hospital, At Hospital, Hospital, Arrived Hospital, Hospital Arrival, First Hospital Arrival, \
            Transport Arrival, Arrived at Facility > Arrive Dropoff, Zielort an, Ankunft Zielort \
            ? Destination > S8
        completed_at: Available, Unit Clear, Cleared, Clear, In Service, Time Available, Time Clear, Call Completed \
            > Hospital Clear > Unit Free, Call Cleared, First Call Cleared, Frei, Einsatzbereit ? Completed, Complete \
            > Incident Close, Incident Closed, Closed Time Incident, Call Closed, Close Time, Close Date/Time, Closed > S1
        provider_id: Agency Number, Agency Code, EMS Agency ID ? Unit Type > Provider Type Structure > Company ID, Carrier ID
        provider_name: Ambulance Company, Ambulance Service, Contractor, EMS Agency, Transport Provider \
            > Agency, Service Name ? Vehicle Owner, Owner, Operator, Vehicle Operator, Operated By, Operating Agency, \
            Transport Agency, Transporting Agency, Responding Agency, Service Provider > Träger, Traeger \
            > Department > Company, Company Name > Carrier, Carrier Name
        vehicle_id: Ambulance, Ambulance ID, Apparatus, Apparatus ID, Unit Name, Unit ID Reported, Unit ID Linked, \
            Reported Unit ID, Medic Unit, Truck, Callsign > Fahrzeug, Funkrufname
        contract_number: Contract Nbr
        hcpcs_code: Proc Code
        loaded_miles: Loaded Mi, Transport Miles, Transport Mileage, Billed Miles, Patient Miles ? Miles, Trip Miles > Total Miles, \
            Distance > Mileage > km, Kilometers, Loaded km, Trip km
        unloaded_miles: Unloaded Mi
        odometer_start: Odometer at Scene, Scene Odometer
        odometer_end: Odometer at Destination, Destination Odometer
        estimated_miles: Estimated Distance, Estimated Distance Miles, Estimated Mileage, Est Miles, Est Mileage, \
            Est Distance, Direct Estimated Distance
        cost: Total Cost, Invoice Amount, Total Paid, Payment Amount, Net Amount, Paid, Net Paid \
            ? Bill Amt, Bill Amount, Billed Amount, Amount Billed, Amount > Total Charges, Total Charge, Charges, \
            Charge Amount, Gross Charges \
            > Amount Due, Amount Owed, Balance Due > Pay Amount, Provider Amount, Provider Rate, Cost/Rate, \
            Special Rate, Price, Net Pay, Payout > Invoiced Total, Invoiced, Total > Entgelt, Kosten, \
            Rechnungsbetrag
        patient_id: Patient Account, Medical Record, MR Number, Chart Number, Patient Key ? Account Number
        patient_name: Patient Full Name ? Last Name, First Name
        patient_phone: Home Phone ? Phone, Phone Number, Telephone
        patient_zip: Patient Zip5 ? Home Postal Code ? ZIP, ZIP Code, Postal Code
        origin: Incident Address, Scene Address, Address of Incident, From Address ? Address, Street Address, \
            Report Location, Location > Einsatzort, Abholort
        destination: Destination, Destination Name, Hospital Name, Receiving Hospital, Destination Facility, Hospital Destination, \
            Transported To, To Address ? Ziel, Zielort, Zielklinik
        notes: Call Notes, Patient Notes, Free Text
        -: Watch Date, Entry Time, Call Entry, Call Entered, Staging, Staged, Cancelled, Cancelled Enroute, Transfer of Care, \
            Transfer Care, Patient Transfer of Care, Transfer to Facility, Transfer to Agency, Dispatch Acknowledged, \
            Back at Home, Invoice Date, Invoice Due Date, Wait Time, Travel Time, Turnout Time, Response Minutes, \
            Earliest Departure Time, Zip of Incident, Incident Zip, Incident Zip Postal, Incident Latitude, \
            Incident Longitude, Contract Name, Vendor Trip ID, Call Taker, Unit Sequence, Number of Alarms, \
            Patient Age, Month, Year, Report Date, Dispatch Center, Agency Type, Provider Type Service, \
            Provider Status, Marital Status, Destination Type
        """

    /// Other forms of a word: the first is the one that names are compared by. Words after `-` do not count, as the `T` of
    /// `T-Clear`; a line of `=` has a short form and the second word that it may be.
    static let wordForms = """
        received recd rec rcvd receive rcv recvd
        = rec record
        = disp disposition
        disposition dispo
        medical med
        id guid uuid identifier ident
        updated update modified modify edited edit changed change
        owner owned
        billed bill invoiced
        pickup pu
        kilometers kilometer kilometres km kms
        dispatched dispatch disp dispatching assigned assignment assign
        enroute route responding
        arrived arrive arrival arrives arriving arv
        departed depart departure departs leave left leaving
        destination dest
        hospital hosp
        unit vehicle veh ambulance amb apparatus
        number no num nbr nr
        patient pt paitent
        closed close
        created create
        cancelled canceled cancel
        notified notification notify
        description desc descr
        amount amt
        address addr
        miles mileage mi
        code cd
        - the of at by and was were is en s d a i e date time dt dttm datetime ts tm timestamp first primary t
        - tim tme usd eur euro dollars
        """
}
