/// The private keys, which are public. TEST ONLY: they were made once with `openssl genpkey`.
///
/// Each is an RSAPrivateKey (RFC 8017, A.1.2) in base64.
///
/// They are constants because libcrypto makes RSA keys from its own random numbers: a seed would not give the same bytes.
enum RSATestKeyMaterial {
    /// The key of the receipts' root.
    static let root = """
        MIIEpAIBAAKCAQEAo9Ozn66UsulHEfr+xS6O/EpLvpKJtkcNaPN70nCrJit/QUjK9vwUN0GfznVqLrYc+Hxt6g4vVr8db596\
        k5XL7TzTOucyukKM2Fr+9wChD42IgRtQ5T9zDLPEr5IbfNxPcxP7bk9Nnw7UPfdHKpTNcoHRhW3MdOmwERzAp3axTCfhpt22\
        ZNLXIl0u2+KrmWICvuNiZtqD5ZYDJu6znxDfNfaiV0Qm0POMuEdCDooR5PIJFKOVKIkmSzyT34Q2vVYNmfItHCK1nJxAJhfz\
        vA74J83PXAzRMXVpytUIVBvF6gW5w0zizyxqFufFclZu7J2c38suEVG2VZLyoOnmRzD8rwIDAQABAoIBABjwrKK9mCOYgdpJ\
        5KkuClR8FwXfFxnpvS/iCVKjFlsMOiY9J7Dr9UPoOKTcmRqdXNGzV6RPHoPNOnT4yVdYcaAfJ2ULN1zFrt1tFO2TafGNMV++\
        QdV0kFY5s9Kqooain3G8dAV6Cy4QutzoHSxtVM1+19/BNGQEA2rHfsi/uAQIu430QNLk8m+e5zgrh1akbElFfLHSMF8p61Ap\
        yrj30oUH2igIrQU/ert4UTfWq08Xt+CBqPfrGmctFjqNq4t2ffpSBTxWv/TLPqIaV85yeEJqe9U1GuMEjmea4tvxnv7fGs4S\
        FeQZ1lXQTKHv6ngw9zD4IAWG9uZ9JwpVUbKiUfECgYEA43RM+9rn7Id1wIbEZa2B0mrn5lyUsqeW9Yb+jSLFDGFJSBiqVYHa\
        GAKoSU5xzv3deNp8OBL0JNrwgGrI7hrfkWvnAqbpWD/otPb+QiyOCSaKnPgsH8XanrEk+3u8iYwAIcFEdpqgE4Mmv4N4/2wP\
        N4UmGmVjeRn07Z9QRyBTcBcCgYEAuGMrH+np9WSZ0Qp0/NCA8cDpI6MMq3aKkyBiabFRw5FC6gPSAmwbYX39r+aCW4qawsUI\
        QLDKpn72KMMfWfN3p3Id9asICl3thaiLi4N89shU67uvOFUQjrHjtyySlL/8Qx+YSzP3CvgQgNv91Rvvoj6d+DMg2nxAP3h+\
        pzxQ3ykCgYEArMOi0c41STie3SzAMob2y8+98wCxRX38MORnpuYZC809b1Ck2Kv37zLdhkjaMyIqvegeYC0tWm0eLjxuAEVT\
        OU7fOelz5j8sz3+oIrVa8WJf+NicE0oiQ1VEROx4iXVYiEsXaIsMOaXtoZwIJOJ8MGynQ3dtdgecPX076bqJBeMCgYBb5Cg4\
        xmVvg0xY7oIxAGRSlxZZSUfmJ7SV8By7mcAq27jiUTcXN/NJWfXU9ObgYioQiQs82h6UbU+WLu/v7zMhgvDFXxApwne+Fao9\
        xDDB+ELCHI4NX+9ZffQDdLY0ZZ19gkBush4bHFd1MK3GyB5b2CL379sep6+JMi7Ef326SQKBgQDAsUQwkLUnnZ60cR4jCNvm\
        E3QgN3KJ3d9f8jmu2p88y5oRchB7QIprxPViXAWJJfZ3Ijj67kGt/kpsMFY8tXQtJqLYiePMZ08zMKlUQJlEoXcJWYC5rpwo\
        KNxWeVsucqsxHM1tVPEHaKxnne66fQHGk/gDV1clCffZg0Sde4ThOg==
        """

    /// The key of the receipts' intermediate.
    static let intermediate = """
        MIIEpAIBAAKCAQEAmQQoJi/AVClj2xYzsptavUoCn9h1Gt7JE91C0JGkYd1MP9VKY96fdyWkqJBpqtOFHhTXnKBg43wj5zMP\
        64gK5EaT3EqUpoi1EUVC+Czmg5XynJ3iUwu7r3nOADabH8B2bVOkyIy+4M0/QBpV7AdswdQyAyCd4B4boM+e1eoaXfb6mGZE\
        0mcSDCS2c7R5N/lt2RGapTnHsxz+6m85JqtEnJVKain5HftGp0a7f1LGPiXlIRxW58S2L6mNyZBxd+Lb0faRbOIRkq4m2O13\
        ZOFSFdTPrI/941i0Fn4Kh3MNuPo4i7l+TT5lx1PXGNpJGvH+64TvZ3B5HOLXb259swwxVwIDAQABAoIBADBdkv82+rjfeFOo\
        ueCLoGvSd+/kcGd04ePofRUF5AqW82H93gyhMpBrkpdBRlUblKkEd35nZxighYyvpCmTj7XF5TitTj0xWuJBnUBqmNYg0FXW\
        xdHwFHwLqSSCHhg0MnquBJjre+38kjCF4oC/fA3sL36zkZNkkOEMny0IWRs317DUbMxeeVdShsbNwPDzUDIwIQDnAn+nFfRK\
        nH0vymQjXZS904ZZNWbcsa+0tcHOBJIs9oC6wArqNJW13IK1v4Ho9Tz+0FOtvX4BkA7WhkCesvJ4AbQnWSqFbDh9R5aI8Tvj\
        wwDhIcrovGtnhkLIaXxzeukbYuDefeUcZP0Pe5ECgYEAxwTzCndVcx/GSaJGaoeM2MlFF5AvQGG1fdSoHrho4KZeZBsKTKsv\
        FD64zIDjbdjVDzTUk+PkaPoFbCjuD3ERpRX/qjQDTl+PwaCISum0SM1NvaS2a0W1UQpM+6woFoDBLLQAFbAlzJ/rg4vB/uWA\
        y3Fv9AFv8/PgDWK8Kxurgf8CgYEAxNNtU0jmH5/DFNLbXmc2CAlB40cqceF04XMZj1Em/2Eafds2EDnw3ePNMDpUiN7frerH\
        Q+cNwgLPDrubUtsnDRdid5Qr/0qfiVJb7dUfwAWrnnRqzdi8BnMEUxZYsdfPXKFZJujZoya1fKPyJO7B4mioRl5MmO4emR21\
        0ZpsoKkCgYEArrQ/jX53+ll4PQdAfR+EmoEEL80YTZH4Of9FncIP/rTMw1+hSPA0obb1jj/OZY0kavbbbP9ucGCaBfpgEBoX\
        fS20gvqptFDa5wQ+4FQLOKVQixteLwjAQ+Wg8oSLpEVeThmswV0hsWDo4075+wIIb46i0jW4yxPYKKf1unnNso0CgYAcGsyL\
        jec+MMPcX1dvnXE7qIa9+1V2OWlFH/hQXJgi8yyjN//6RSu9o1+TOWEEwj5SSSn26jEuuNP0GJnPNPfYiLRIuuGlbHRnWVlD\
        FqGX+7dLwvfVONNwYFAHxTMZAeXcJjXitnENOOPFTmuvFmCdAbC1i5WIaMf5uSJTMae9MQKBgQCNepUhGr9j13GjLqfBD9Ap\
        R+nnn9RXTtAb6soCwhFAfZaWr6e/pkf+1MkUDvj6JpAy5FrnuB5UhokDlF7ho2dfcrZFpB0+/ugrIoHOHx7Dz/1m1II2iSDy\
        kwDrkRsijB0X6o/XswZDhxVJ4hInnHkz57dwVhIN4dWCzx79mr7wjA==
        """

    /// The key of the receipts' leaf of 2021.
    static let leaf2021 = """
        MIIEowIBAAKCAQEAv6LHtL0ym7zuiqPy8UQjwq85fXLCI/VY+QK7PgNF+HAzf6GFrNkTnr1iJhpA+XgQ0ZM5t2UjWjv8+tO4\
        h5HVnvp70RLNhx8mVtndLQ8SEnUdyPfeB7fw4Mbay4ktX69X9Wg82tkVhY289iKDconKbatGwqcsp4QvkwYNAlBmLplLoDmF\
        K/O3VbBY75a6kN1+mbvvN6TKawfKwzekJakwt1xSzcu9qPqsAYTtkTr8lxGgj3tFVNLVkeuHrvmCTb1lpHu7N7KZ7O1+sU8/\
        BzE63Gt5aMlh23jRpG7U2bcBOcSXMW857C/9gUm8Iz6XfHdjeHTQrXqI8F/hcm38JwXPBQIDAQABAoIBAAzSdmxIcHdtJ8TM\
        /XdZKM9g7AbRw92mD+LxZNfcXjUmRLvYcdpD2AU6BLQp84j9mJp9MFJuCPSDqQSbX/BqOJHfjqNJj8jns6gCAcN/C6WCgpCs\
        zQVVMF/Jzl/p+Mg7MjZwWAoIlmEOP8N0QblLMOkvmZdymhFHTeuXbw1llcCuUUBVmevEX6v+KJMzJfRdDR02T5jrBNbrhayX\
        bjTonLV3TzMmK6RJd7uhXeEGw8MaPjAZhdhOpP5m5PAOXClAtY5yBunv0Y8kwP9/7B/DisCENjZApRriFsyqf5B4fx7cbsEW\
        PChGAh7ObJKSYL7KtmAQmgr988XUHt1GdljxaAECgYEA+YM4HjBjGl7DUUCxcc/F8rgca9toaxo5g7GirEjQMb/2LC5U/Cnq\
        q4/bZ3Z8C3RDXK7qFhBidVLFLKEBiM0aDIBUV0DnMGEghmBClZyNp/OoyuZBsnjz5OR1CNwmlG/Cna94pUIRVmse2nCuXqRz\
        y8KyrapFrcdOOzJ5R1dS2gECgYEAxJ5T4Sb7qHG18ZgkrUGWfzKDnkKv+wVbSoGqwYx3wXyfgBgOndt5FgoHx3fTYzhKIeEq\
        9of0/+pjKy9nS1EQtOgppXguoXomwF95Y42R+Jrw4HTvhhQpKyxfIe3MOxYLsDWaCGdwa9dCcgPkCdZaR0Yxo0yIeKBY5FgM\
        UG5VjQUCgYEAsuOUeXiBpSdp67hxQEMSDepYXjAJljhQIg5ariDqO7EAgz6Yqc43tNdIG87EMsYhgbLanAUVQj6cpVmuKvG6\
        Clp7na8n0fThB9a+Blwe59p3GzmowpebbXEqQ7brZiMWqk1jN0C+A3J7xWtiaPKJHv6xcneQy34IpcKTV0XRXgECgYAcCTuK\
        smVWGojIH1qzfdO45XoRGg8/6v6efCjeGmqFI4EW4ddLuRzmAJ4lWjfBQSiI9jOLHc3YpBJp+QNwoOmR8jzmBGIZ0nIuIi8L\
        /AbhfS51wxbYdo18Q4J5MxBZKIaYJLyHEEDej75Axb9Bi9gpq5+uWl5nXO3v+YIgAeufBQKBgBXWN4eMWaOvJwZJ1uksUQSE\
        o1ogoFpNud8PaoKUErpgmhMluOA+9ygSd82V4xwAb+IRPv9dc68KltU9m+Go8cxoeylzwU2iJl7uHXtqKbMprN4HOQtBq3Rs\
        Dm7bHnAzUXNoDR01MUFprKe21r6g9iyH9MRbc1T9Xx16vhVh/7Oz
        """

    /// The key of the certificate in Xcode's form.
    static let xcode = """
        MIIEpQIBAAKCAQEApJXpngifb6t6jfdTA59mZx+MFzIuj16AYlNM8jyuq5DJl/n0xsnwuAlWm5G1uJHS6WsCTpi8mOwInwVl\
        M7I3wXdYqwv57d55RTlTUSU/DOY8a9hQsxATgvoybXhwGpCL+PsqxkVIBx7xP7CI1dFi4+Wf1HdZCE4cExJD5uwj6+NfObLs\
        N8ZEdXbcBJMS6+NYyk10cIuxWm2euL/ul/HiOM3jIKbd9rAGb9NHDySNS4PrE+RnKAfh4quaOp4CUUGhpnAU9ex4rIJMy7tm\
        8ATR966Ail4dYv+dV6zAxFlpXcOLtfCHOyf9qGsOlv4ehQ40zAtT6F2yxK3419/yP+ZHuwIDAQABAoIBAFBGtJd50jY3+ANV\
        nl52eY6T8xL/TXltWQZcZfwDABk7ejCP4MWzCp/hIiaoB/AZ5DsokAwA8IBQJBZYHdf8tbg9+3gWU9WjPRg4ETzTg3DJva/G\
        ZvonvbSVT1JYu6khVrxe2aqycSLUA0yS0PMleWv5/J63hawI2SWuM4NnK1AqosxcbH1kpsedA2YMl5PGKdHpDSxp2xLJQ1OJ\
        EKESZX+pRh3FWcpuFsdaaHFMYc9vRBk/bEw4YX550+KJyCJeQferbSjF7hY+abSn2ox8JQJuzb9pPmyltvtMr3AcUb8d1aUK\
        11H5taNeaJNKMePKKZee3Uar8KjBdHr9fal9HfUCgYEA1Wiw9cHyiBbeZ/rYJHiq6WUAuErSRy+9zZ5eo5bNaBdPgqwQjeSF\
        TKiygx1BFbPakn2DkcYbAxbsGfbYSwH3dN+e4zBLtW9ZAUNRGRuJ4l1KT6hIcgN+yLBQ+jctysuDrwDF1XTZYkdhEUJSWD0R\
        7kLtsMXqPCTw+gZN5vjpNiUCgYEAxW7HrVW7Ol8Jo6MHDXDIrYrH+7AqUQjV6bkj3Ic8Hzt8zQUls++295vlWNPm0FuLSQ33\
        jj+ptERmSTTZ1RWqG48Di8uiPMO47ijfLCGGlqur5x805HSZ0xiQLqQsUkHtHF+RDMUscPLdJlE9uv9FSH7WR/jVGhxU6MZ6\
        j7+PcF8CgYEAyhO1JTD+oCDPfrRHgNmGNTT/5oJq9R9e4dopkUwVupAAKSMXFdUi6AEB8Cd+XreMq5QQRrPJFjbZYIieLQBy\
        uoeZY1VzCx2hsRF2NIkgGmnuGNmnp9Zpck2KkDQ5t0LYsZjQvBxGT8p5PqeHY6iIVw2nFvGBqGvuh0H6+FAQPMUCgYEAq0ci\
        1R4V8lq2iw6ItMFOZzeJrLC01V4b7cqe8NclclbyOw6nGcXxbjgBrKEQkVuJp1QFmpNiTzAzqHjALZrA222jfuinE54cVgiB\
        K9Dd6OJ/nF83TKZXOIoLs1rb1HS7Fi1WMcTwfABFmNNMAWkpmu3mScP2Y9OGWfauJvzhnHMCgYEAppMBTtdG+DDYCYBU5Fiv\
        al75oIlFc8rjb2zyH7iVO04b6SPxirKZfJgTQ/SrLMXc6dbHAdN9htQ7laF3OqBtpOMUKyyos8in/71u0O/ukwJ0fH0wseej\
        YhZyd4M86W5c5QKaseJEHvh2XWzbf+2Sktwl8OKFuLqWeNgLWd5WNMs=
        """
}
